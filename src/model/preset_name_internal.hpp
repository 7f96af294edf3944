#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpu_advisor::model {

/// A model's name taken apart.
struct NameKey {
  std::string full;     // every letter and digit that tells models apart, in order
  std::string core;     // the same without words that change no dimension ("instruct", "gguf", …)
  std::string variant;  // the words left out of `core`, sorted
  std::string quantisation;  // canonical name understood from the spelling; may be empty
};

/// "meta-llama/Llama-2-7b-hf", "LLaMA2-7B" and "Llama 2 7B" have the core "llama2-7b". Digits that
/// meet keep a '-' between them, so that "3.1 8b" and "3.18b" stay apart.
[[nodiscard]] NameKey name_key(std::string_view name);

/// The sizes in a name: "13b", "8x7b", "a3b", "135m".
[[nodiscard]] std::vector<std::string> sizes_in(std::string_view core);

}  // namespace gpu_advisor::model
