#include "gpu_advisor/model/presets.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <unordered_map>
#include <utility>

#include "gpu_advisor/support/embedded.hpp"
#include "gpu_advisor/support/text.hpp"
#include "preset_file_internal.hpp"
#include "preset_name_internal.hpp"

namespace gpu_advisor::model {
namespace {

using support::Error;
using support::ErrorCode;
using support::FileSource;
using support::Result;

constexpr std::string_view kFolder = "models/";
constexpr std::uint64_t kLargestFile = std::uint64_t{64} << 20;

/// How well the words beside a model's name agree: common ones count for, others of the preset
/// against.
int agreement(std::string_view preset, std::string_view asked) {
  int score = 0;
  for (const std::string_view word : support::split(preset, ' ')) {
    const auto words = support::split(asked, ' ');
    const bool common = std::ranges::find(words, word) != words.end();
    score += word.empty() ? 0 : common ? 2 : -1;
  }
  return score;
}

struct Named {
  std::size_t row = 0;
  std::string variant;  // words beside the core of the spelling that led here
  bool is_id = false;
};

}  // namespace

struct PresetLibrary::Impl {
  std::vector<PresetRow> rows;
  std::vector<PresetSummary> summaries;
  std::unordered_map<std::string, std::vector<Named>> by_full;  // exact spelling but for separators
  std::unordered_map<std::string, std::vector<Named>> by_core;  // without words of tuning and form

  void add(PresetRow&& row);
  void index();
  void index_name(std::size_t at, std::string_view name, bool is_id);
  [[nodiscard]] const PresetRow* find(std::string_view id) const;
  [[nodiscard]] Result<std::size_t> choose(const std::vector<Named>& found, const NameKey& key,
                                           std::string_view name) const;
  [[nodiscard]] Result<ResolvedName> resolve_spelling(std::string_view name) const;
  [[nodiscard]] Error unknown(std::string_view name, const NameKey& key) const;
};

void PresetLibrary::Impl::add(PresetRow&& row) {
  const auto same = std::ranges::find_if(
      rows, [&row](const PresetRow& other) { return other.summary.id == row.summary.id; });
  if (same != rows.end()) {
    *same = std::move(row);
  } else {
    rows.push_back(std::move(row));
  }
}

void PresetLibrary::Impl::index_name(std::size_t at, std::string_view name, bool is_id) {
  const NameKey key = name_key(name);
  const auto put = [at, &key, is_id](std::vector<Named>& list) {
    const bool there = std::ranges::any_of(
        list, [&](const Named& n) { return n.row == at && n.variant == key.variant; });
    if (!there) {
      list.push_back({at, key.variant, is_id});
    }
  };
  put(by_full[key.full]);
  put(by_core[key.core]);
}

void PresetLibrary::Impl::index() {
  by_full.reserve(2 * rows.size());
  by_core.reserve(2 * rows.size());
  summaries.reserve(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const PresetSummary& summary = rows[i].summary;
    index_name(i, summary.id, true);
    for (const std::string& alias : summary.aliases) {
      index_name(i, alias, false);
    }
    summaries.push_back(summary);
  }
}

const PresetRow* PresetLibrary::Impl::find(std::string_view id) const {
  const auto found =
      std::ranges::find_if(rows, [id](const PresetRow& row) { return row.summary.id == id; });
  return found != rows.end() ? &*found : nullptr;
}

Result<std::size_t> PresetLibrary::Impl::choose(const std::vector<Named>& found, const NameKey& key,
                                                std::string_view name) const {
  const auto nearest = std::ranges::max_element(
      found, {}, [&key](const Named& named) { return agreement(named.variant, key.variant); });
  if (nearest->variant == key.variant) {
    return nearest->row;
  }
  // Tunings of one model have one size; names that mean different sizes are for the user to settle.
  constexpr double kSameSize = 1.02;
  const auto size = [this](const Named& n) { return rows[n.row].summary.parameters; };
  std::vector<std::string> choices;
  for (const Named& named : found) {
    const std::string& id = rows[named.row].summary.id;
    if (std::ranges::find(choices, id) == choices.end()) {
      choices.push_back(id);
    }
  }
  const bool same = std::ranges::all_of(found, [&](const Named& n) {
    const double a = size(n);
    const double b = size(found.front());
    return n.row == found.front().row ||
           (a > 0 && b > 0 && std::abs(std::log(a / b)) < std::log(kSameSize));
  });
  if (!same) {
    return Error{.code = ErrorCode::ambiguous_name,
                 .message = fmt::format("the model name \"{}\" means several: {}", name,
                                        fmt::join(choices, ", ")),
                 .hint = "name one of them"};
  }
  return nearest->row;
}

Error PresetLibrary::Impl::unknown(std::string_view name, const NameKey& key) const {
  std::vector<std::string> longer;
  for (const PresetRow& row : rows) {
    const std::string core = name_key(row.summary.id).core;
    if (key.core.size() >= 3 && core.size() > key.core.size() && core.starts_with(key.core)) {
      longer.push_back(row.summary.id);
    }
  }
  constexpr std::size_t kMost = 12;
  if (longer.size() > 1 && sizes_in(key.core).empty()) {
    longer.resize(std::min(longer.size(), kMost));
    return Error{
        .code = ErrorCode::ambiguous_name,
        .message = fmt::format("the model name \"{}\" may mean {}", name, fmt::join(longer, ", ")),
        .hint = "name one of them"};
  }
  std::vector<std::string> cores;
  std::map<std::string, std::string> ids;
  for (const PresetRow& row : rows) {
    cores.push_back(name_key(row.summary.id).core);
    ids.emplace(cores.back(), row.summary.id);
  }
  std::vector<std::string> near = support::nearest(key.core, cores);
  for (std::string& core : near) {
    core = ids.at(core);
  }
  return Error{.code = ErrorCode::unknown_name,
               .message = fmt::format("the model \"{}\" is unknown", name),
               .hint = support::did_you_mean(near)};
}

Result<ResolvedName> PresetLibrary::Impl::resolve_spelling(std::string_view name) const {
  const NameKey key = name_key(name);
  ResolvedName resolved;
  resolved.quantisation = key.quantisation;
  const auto full = by_full.find(key.full);
  const auto core = by_core.find(key.core);
  if (full == by_full.end() && core == by_core.end()) {
    return unknown(name, key);
  }
  const bool exact = full != by_full.end();
  GPU_ADVISOR_TRY(const std::size_t row, choose(exact ? full->second : core->second, key, name));
  resolved.id = rows[row].summary.id;
  if (!exact) {
    resolved.note = fmt::format("the name \"{}\" is read as {}", name, resolved.id);
  }
  return resolved;
}

PresetLibrary::PresetLibrary() : impl_(std::make_unique<Impl>()) {}
PresetLibrary::PresetLibrary(PresetLibrary&&) noexcept = default;
PresetLibrary& PresetLibrary::operator=(PresetLibrary&&) noexcept = default;
PresetLibrary::~PresetLibrary() = default;

Result<PresetLibrary> PresetLibrary::load(const FileSource& files,
                                          const std::vector<std::string>& folders) {
  PresetLibrary library;
  Impl& impl = *library.impl_;
  for (const support::EmbeddedFile& file : support::embedded_files()) {
    if (!file.path.starts_with(kFolder)) {
      continue;
    }
    GPU_ADVISOR_TRY(std::vector<PresetRow> rows, read_embedded_presets(file.path, file.content));
    std::ranges::move(rows, std::back_inserter(impl.rows));
  }
  for (const std::string& folder : folders) {
    const std::string path = folder + "/" + std::string(kFolder);
    if (!files.is_folder(folder + "/models")) {
      continue;
    }
    GPU_ADVISOR_TRY(const std::vector<std::string> names, files.list(folder + "/models"));
    for (const std::string& name : names) {
      if (!name.ends_with(".json")) {
        continue;
      }
      GPU_ADVISOR_TRY(const std::string content, files.read(path + name, kLargestFile));
      GPU_ADVISOR_TRY(std::vector<PresetRow> rows, read_presets(path + name, content));
      for (PresetRow& row : rows) {
        impl.add(std::move(row));
      }
    }
  }
  impl.index();
  return library;
}

const std::vector<PresetSummary>& PresetLibrary::summaries() const {
  return impl_->summaries;
}

Result<ResolvedName> PresetLibrary::resolve(std::string_view name) const {
  if (const PresetRow* row = impl_->find(name)) {
    return ResolvedName{.id = row->summary.id, .quantisation = {}, .note = {}};
  }
  auto found = impl_->resolve_spelling(name);
  // "Qwen_Qwen3-8B-Q4_K_M.gguf": some files carry the publisher before an underscore.
  const std::size_t underscore = name.find('_');
  if (!found && underscore != std::string_view::npos) {
    if (auto without = impl_->resolve_spelling(name.substr(underscore + 1))) {
      return without;
    }
  }
  return found;
}

Result<ModelSpec> PresetLibrary::build(std::string_view id) const {
  const PresetRow* row = impl_->find(id);
  if (row == nullptr) {
    return impl_->unknown(id, name_key(id));
  }
  GPU_ADVISOR_TRY(const support::Json json, support::parse_json(row->text(), row->file));
  auto model = build_preset(json, row->file);
  if (!model) {
    return support::with_context(model.error(), fmt::format("while building the preset {}", id));
  }
  return model;
}

}  // namespace gpu_advisor::model
