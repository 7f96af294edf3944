#include "gpu_advisor/render/present/texts.hpp"

#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "gpu_advisor/catalog/embedded.hpp"

namespace gpu_advisor::render {
namespace {

using Texts = std::map<std::string, std::string, std::less<>>;

Texts load(std::string_view path) {
  Texts texts;
  for (const catalog::EmbeddedFile& file : catalog::embedded_files()) {
    if (file.path != path)
      continue;
    const auto json = nlohmann::json::parse(file.content, nullptr, false);
    if (json.is_discarded())
      continue;
    for (const auto& [key, value] : json["texts"].items())
      texts.emplace(key, value.get<std::string>());
  }
  return texts;
}

const Texts& texts_of(Language language) {
  static const std::array<Texts, 2> kTexts{load("texts/en.json"), load("texts/zh.json")};
  return kTexts[static_cast<std::size_t>(language)];
}

}  // namespace

std::string_view text(std::string_view key, Language language) {
  const Texts& texts = texts_of(language);
  const auto found = texts.find(key);
  return found == texts.end() ? key : std::string_view(found->second);
}

}  // namespace gpu_advisor::render
