#include <algorithm>
#include <array>

#include "gpu_advisor/support/text.hpp"
#include "gpu_advisor/units/data_type.hpp"
#include "preset_name_internal.hpp"

namespace gpu_advisor::model {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_letter(char c) {
  return c >= 'a' && c <= 'z';
}

// Words that follow a model's name without changing its dimensions: kinds of tuning, containers,
// revisions. They are left out only behind the name's first word.
constexpr std::array<std::string_view, 45> kVariants{
    "hf",          "chat",    "instruct",  "it",        "base",        "pt",     "sft",
    "dpo",         "rl",      "thinking",  "reasoning", "preview",     "latest", "gguf",
    "mlx",         "mtp",     "qat",       "i1",        "ud",          "text",   "uncensored",
    "abliterated", "heretic", "awq",       "gptq",      "exl2",        "bnb",    "marlin",
    "dynamic",     "unsloth", "autoround", "quantized", "dequantized", "static", "paddle",
    "fp16",        "bf16",    "fp32",      "fp8",       "int4",        "int8",   "nf4",
    "nvfp4",       "mxfp4",   "finetuned"};

/// Dates and revisions: "2507", "2512", "v0.1", "v1.0", "0414".
bool is_revision(std::string_view word) {
  const bool digits = std::ranges::all_of(word, is_digit);
  if (digits && word.size() == 4) {
    return true;
  }
  return word.size() >= 2 && word[0] == 'v' && is_digit(word[1]) &&
         std::ranges::all_of(word.substr(1), [](char c) { return is_digit(c) || c == '.'; });
}

bool is_quantisation(std::string_view word) {
  const bool ending = word.ends_with("bit") && word.size() > 3 && is_digit(word[0]);
  const bool gguf =
      (word.starts_with("q") || word.starts_with("iq")) && word.find('_') != word.npos;
  return ending || gguf;
}

/// A size: digits, perhaps "8x" before and a point within, and one of b, m, t, k behind; "a3b" is
/// the active size of a mixture, "e4b" the effective one.
bool is_size(std::string_view word) {
  if (!word.empty() && (word[0] == 'a' || word[0] == 'e')) {
    word.remove_prefix(1);
  }
  if (word.size() < 2 || !is_digit(word[0])) {
    return false;
  }
  const char unit = word.back();
  word.remove_suffix(1);
  return (unit == 'b' || unit == 'm' || unit == 't') &&
         std::ranges::all_of(word, [](char c) { return is_digit(c) || c == '.' || c == 'x'; });
}

/// Words that may name a quantisation: "it" and "chat" never do, though "4b-it" looks like "4bit".
bool says_format(std::string_view word) {
  constexpr std::array<std::string_view, 16> kFormats{
      "awq",  "gptq", "exl2", "bnb", "marlin", "autoround", "quantized", "mlx",
      "fp16", "bf16", "fp32", "fp8", "int4",   "int8",      "nf4",       "nvfp4"};
  return is_quantisation(word) || word == "mxfp4" || word == "dynamic" || word == "static" ||
         std::ranges::find(kFormats, word) != kFormats.end();
}

bool is_variant(std::string_view word) {
  return std::ranges::find(kVariants, word) != kVariants.end() || is_revision(word) ||
         is_quantisation(word);
}

std::string_view without_path(std::string_view name) {
  const std::size_t slash = name.find_last_of('/');
  return slash == std::string_view::npos ? name : name.substr(slash + 1);
}

/// Words between separators. An underscore separates unless it stands within a quantisation's name.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words;
  std::string word;
  const auto finish = [&words, &word] {
    if (word.empty()) {
      return;
    }
    if (is_quantisation(word)) {
      words.push_back(word);
    } else {
      for (const std::string_view part : support::split(word, '_')) {
        if (!part.empty()) {
          words.emplace_back(part);
        }
      }
    }
    word.clear();
  };
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool point =
        c == '.' && i > 0 && is_digit(name[i - 1]) && i + 1 < name.size() && is_digit(name[i + 1]);
    if (is_digit(c) || is_letter(c) || c == '_' || point) {
      word += c;
    } else if (static_cast<unsigned char>(c) >= 0x80) {
      word += c;
    } else {
      finish();
    }
  }
  finish();
  return words;
}

/// "7 B" is "7b".
void join_split_sizes(std::vector<std::string>& words) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    const bool unit = words[i] == "b" || words[i] == "m";
    if (unit && !words[i - 1].empty() && is_digit(words[i - 1][0]) &&
        is_digit(words[i - 1].back())) {
      words[i - 1] += words[i];
      words.erase(words.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
}

void append(std::string& text, std::string_view word) {
  if (!text.empty() && is_digit(text.back()) && !word.empty() && is_digit(word.front())) {
    text += '-';
  }
  text += word;
}

/// Vendors' prefixes that some spellings have and others lack.
bool is_vendor(std::string_view word) {
  constexpr std::array<std::string_view, 6> kVendors{"meta",   "nvidia",    "microsoft",
                                                     "google", "mistralai", "timm"};
  return std::ranges::find(kVendors, word) != kVendors.end();
}

}  // namespace

NameKey name_key(std::string_view name) {
  NameKey key;
  std::string lower = support::to_lower(support::trim(without_path(name)));
  for (const std::string_view ending : {".gguf", ".safetensors"}) {
    if (lower.ends_with(ending)) {
      lower.resize(lower.size() - ending.size());
    }
  }
  std::vector<std::string> words = words_of(lower);
  join_split_sizes(words);
  if (words.size() > 1 && is_vendor(words.front())) {
    words.erase(words.begin());
  }
  const bool sized = std::ranges::any_of(words, is_size);
  std::vector<std::string> left_out;
  std::string formats;
  for (std::size_t i = 0; i < words.size(); ++i) {
    append(key.full, words[i]);
    // "bert-base", "inception_v3": without a size these words are the model's own.
    const bool own =
        !sized && (words[i] == "base" || (words[i].front() == 'v' && is_revision(words[i])));
    if (i > 0 && !own && is_variant(words[i])) {
      left_out.push_back(words[i]);
      formats += says_format(words[i]) ? words[i] + " " : "";
    } else {
      append(key.core, words[i]);
    }
  }
  std::ranges::sort(left_out);
  for (const std::string& word : left_out) {
    key.variant += (key.variant.empty() ? "" : " ") + word;
  }
  if (!formats.empty()) {
    if (const auto format = units::find_quantisation(formats)) {
      key.quantisation = format->family == "none" ? "" : std::string(format->name);
    }
  }
  return key;
}

std::vector<std::string> sizes_in(std::string_view core) {
  std::vector<std::string> sizes;
  std::string word;
  const auto finish = [&sizes, &word] {
    if (is_size(word)) {
      sizes.push_back(word);
    }
    word.clear();
  };
  for (const std::string& part : words_of(core)) {
    word = part;
    finish();
  }
  return sizes;
}

}  // namespace gpu_advisor::model
