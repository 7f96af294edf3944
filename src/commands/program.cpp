#include "gpu_advisor/commands/program.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "command_internal.hpp"
#include "gpu_advisor/render/present/estimate.hpp"
#include "gpu_advisor/render/writers/writers.hpp"
#include "gpu_advisor/support/text.hpp"
#include "help_internal.hpp"

namespace gpu_advisor::commands {
namespace {

using support::Error;
using support::ErrorCode;
using support::Result;

render::Language language_of(const Values& values, const World& world) {
  if (const auto asked = values.get("--lang"))
    return *asked == "zh" ? render::Language::zh : render::Language::en;
  for (const std::string_view name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    const auto locale = world.environment(name);
    if (locale && !locale->empty())
      return locale->starts_with("zh") ? render::Language::zh : render::Language::en;
  }
  return render::Language::en;
}

/// The user's overlay folder of the XDG base directory specification, if there is one.
std::optional<std::string> user_folder(const World& world) {
  std::string folder;
  if (const auto config = world.environment("XDG_CONFIG_HOME"); config && !config->empty())
    folder = *config + "/gpu-advisor";
  else if (const auto home = world.environment("HOME"); home && !home->empty())
    folder = *home + "/.config/gpu-advisor";
  if (folder.empty() || !world.files.is_folder(folder))
    return std::nullopt;
  return folder;
}

Globals globals_of(const Values& values, const World& world) {
  Globals globals;
  globals.format = values.has("--json") ? "json" : values.get("--format").value_or("table");
  globals.language = language_of(values, world);
  const auto no_colour = world.environment("NO_COLOR");
  globals.colour =
      world.terminal && !values.has("--no-color") && (!no_colour || no_colour->empty());
  globals.quiet = values.has("--quiet");
  globals.verbose = values.has("--verbose");
  globals.width = world.width;
  // GPU_ADVISOR_EMBEDDED=off leaves out the built-in data: fixed catalogs of tests and of pinned
  // plans.
  if (world.environment("GPU_ADVISOR_EMBEDDED") == "off") {
    globals.embedded = false;
  } else if (const auto folder = user_folder(world)) {
    globals.folders.push_back(*folder);
  }
  for (std::string& folder : values.all("--catalog"))
    globals.folders.push_back(std::move(folder));
  return globals;
}

int fail(const World& world, const Error& error, bool json) {
  world.err << "gpu-advisor: " << error.to_text() << '\n';
  if (json)
    world.out << render::error_document(error) << '\n';
  return error.exit_code();
}

Error unknown_command(const std::string& name) {
  std::vector<std::string> names;
  for (const Command& command : command_table())
    names.emplace_back(command.name);
  const auto near = support::nearest(name, names);
  return usage_error("", "unknown command \"" + name + "\"",
                     near.empty() ? "see: gpu-advisor --help" : support::did_you_mean(near));
}

bool asks_help(const std::vector<std::string>& arguments) {
  return std::ranges::any_of(arguments,
                             [](const std::string& a) { return a == "--help" || a == "-h"; });
}

bool asks_json(const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--json" || arguments[i] == "--format=json")
      return true;
    if (arguments[i] == "--format" && i + 1 < arguments.size() && arguments[i + 1] == "json")
      return true;
  }
  return false;
}

}  // namespace

const std::vector<Option>& global_options() {
  static const std::vector<Option> kOptions{
      {"--format", "", Arity::one, "table|json|csv|markdown", "How the answer is written"},
      {"--json", "", Arity::flag, "", "Short for --format json"},
      {"--catalog", "", Arity::many, "DIR",
       "Data folder over the built-in data, by id (repeatable)"},
      {"--no-color", "", Arity::flag, "", "No colour on a terminal"},
      {"--lang", "", Arity::one, "en|zh", "Language of tables and messages (default: by locale)"},
      {"--quiet", "", Arity::flag, "", "Tables only"},
      {"--verbose", "", Arity::flag, "", "More on stderr"},
      {"--help", "-h", Arity::flag, "", "This help"},
  };
  return kOptions;
}

std::vector<Option> all_options(const Command& command) {
  std::vector<Option> options = command.options;
  options.insert(options.end(), global_options().begin(), global_options().end());
  return options;
}

Result<catalog::Catalog> load_catalog(const Call& call, catalog::CatalogParts parts) {
  catalog::Loaded loaded = catalog::load_catalog(
      call.world.files, {.embedded = call.globals.embedded, .folders = call.globals.folders},
      parts);
  const Error* first = nullptr;
  for (const catalog::Diagnostic& found : loaded.diagnostics) {
    if (first == nullptr && found.severity == catalog::Diagnostic::Severity::error)
      first = &found.error;
    else
      call.world.err << "gpu-advisor: " << found.error.to_text() << '\n';
  }
  if (first != nullptr)
    return *first;
  return std::move(*loaded.catalog);
}

Result<model::PresetLibrary> load_presets(const Call& call) {
  return model::PresetLibrary::load(call.world.files, call.globals.folders);
}

void write_document(const Call& call, const render::Document& document) {
  const render::Writer* writer = render::find_writer(call.globals.format);
  if (writer == nullptr)
    return;
  call.world.out << writer->write(
      document,
      {.width = call.globals.width, .colour = call.globals.colour, .quiet = call.globals.quiet});
}

int run_program(const std::vector<std::string>& arguments, const World& world) {
  if (arguments.empty() || arguments.front() == "--help" || arguments.front() == "-h" ||
      arguments.front() == "help") {
    (arguments.empty() ? world.err : world.out) << program_help();
    return arguments.empty() ? 2 : 0;
  }
  const std::string name = arguments.front() == "--version" ? "version" : arguments.front();
  const bool json = asks_json(arguments);
  const auto command = std::ranges::find(command_table(), name, &Command::name);
  if (command == command_table().end())
    return fail(world, unknown_command(name), json);
  const std::vector<std::string> rest(arguments.begin() + 1, arguments.end());
  if (asks_help(rest)) {
    world.out << command_help(*command);
    return 0;
  }
  const auto values = parse_options(all_options(*command), rest);
  if (!values)
    return fail(world, values.error(), json);
  const auto code = command->run({world, *values, globals_of(*values, world)});
  return code ? *code : fail(world, code.error(), json);
}

}  // namespace gpu_advisor::commands
