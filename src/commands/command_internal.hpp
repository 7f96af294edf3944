#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gpu_advisor/catalog/catalog.hpp"
#include "gpu_advisor/commands/program.hpp"
#include "gpu_advisor/model/presets.hpp"
#include "gpu_advisor/render/document/document.hpp"
#include "gpu_advisor/render/present/texts.hpp"
#include "options_internal.hpp"

namespace gpu_advisor::commands {

/// What every command takes, built.
struct Globals {
  std::string format = "table";
  render::Language language = render::Language::en;
  bool colour = false, quiet = false, verbose = false;
  int width = 80;
  std::vector<std::string> folders;  // overlays, the user's own first
  bool embedded = true;
};

/// A command's surroundings.
struct Call {
  const World& world;
  const Values& values;
  Globals globals;
};

using ExitCode = int;

/// One row of the command table.
struct Command {
  std::string_view name;
  std::string_view summary;
  std::string_view usage;       // after the command's name
  std::string_view examples;    // lines
  std::vector<Option> options;  // beside the global ones
  support::Result<ExitCode> (*run)(const Call&);
};
[[nodiscard]] const std::vector<Command>& command_table();
[[nodiscard]] const std::vector<Option>& global_options();
/// The options of a command and the global ones.
[[nodiscard]] std::vector<Option> all_options(const Command& command);

// Loading, with the diagnostics of the catalog on stderr and the first error returned.
[[nodiscard]] support::Result<catalog::Catalog> load_catalog(const Call& call,
                                                             catalog::CatalogParts parts = {});
[[nodiscard]] support::Result<model::PresetLibrary> load_presets(const Call& call);

/// Writes a document in the format asked for (anything but JSON).
void write_document(const Call& call, const render::Document& document);

// One function per command.
support::Result<ExitCode> run_recommend(const Call& call);
support::Result<ExitCode> run_estimate(const Call& call);
support::Result<ExitCode> run_gpus(const Call& call);
support::Result<ExitCode> run_offers(const Call& call);
support::Result<ExitCode> run_models(const Call& call);
support::Result<ExitCode> run_compare(const Call& call);
support::Result<ExitCode> run_rules(const Call& call);
support::Result<ExitCode> run_catalog(const Call& call);
support::Result<ExitCode> run_calibrate(const Call& call);
support::Result<ExitCode> run_completion(const Call& call);
support::Result<ExitCode> run_schema(const Call& call);
support::Result<ExitCode> run_version(const Call& call);

}  // namespace gpu_advisor::commands
