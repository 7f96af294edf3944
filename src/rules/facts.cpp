#include "gpu_advisor/rules/facts.hpp"

#include "gpu_advisor/support/text.hpp"

namespace gpu_advisor::rules {

std::string_view name(FactType type) {
  switch (type) {
    case FactType::number:
      return "number";
    case FactType::text:
      return "text";
    case FactType::boolean:
      return "boolean";
    case FactType::list:
      return "list";
  }
  return "";
}

FactTable::FactTable(std::vector<FactDefinition> definitions)
    : definitions_(std::move(definitions)) {
  for (std::size_t i = 0; i < definitions_.size(); ++i) {
    index_.emplace(definitions_[i].name, i);
  }
}

std::optional<std::size_t> FactTable::find(std::string_view name) const {
  const auto found = index_.find(std::string(name));
  return found == index_.end() ? std::nullopt : std::optional(found->second);
}

support::Result<std::size_t> FactTable::require(std::string_view name) const {
  if (const auto index = find(name)) {
    return *index;
  }
  std::vector<std::string> names;
  for (const FactDefinition& definition : definitions_) {
    names.push_back(definition.name);
  }
  return support::Error{.code = support::ErrorCode::broken_reference,
                        .message = "there is no fact \"" + std::string(name) + "\"",
                        .hint = support::did_you_mean(support::nearest(name, names))};
}

}  // namespace gpu_advisor::rules
