#pragma once

#include <optional>

#include "tower_internal.hpp"

namespace gpu_advisor::model {

/// The language model inside (`text_config` and its other names), as the main stack.
void read_text_part(const FamilyInput& input, ModelSpec& model);
/// Width of that language model.
[[nodiscard]] std::int64_t text_width(const ModelSpec& model);
/// The image tower's config; says so in the assumptions when there is none.
[[nodiscard]] std::optional<Config> vision_part(const FamilyInput& input, ModelSpec& model);

void read_llava(const FamilyInput& input, ModelSpec& model);          // multimodal.cpp
void read_gemma3_vision(const FamilyInput& input, ModelSpec& model);  // multimodal.cpp
void read_mistral3(const FamilyInput& input, ModelSpec& model);       // multimodal.cpp
void read_voxtral(const FamilyInput& input, ModelSpec& model);        // multimodal.cpp
void read_lfm2_vl(const FamilyInput& input, ModelSpec& model);        // multimodal.cpp
void read_qwen2_vl(const FamilyInput& input, ModelSpec& model);       // qwen_vl.cpp
void read_qwen25_vl(const FamilyInput& input, ModelSpec& model);      // qwen_vl.cpp
void read_qwen3_vl(const FamilyInput& input, ModelSpec& model);       // qwen_vl.cpp
void read_kimi_vl(const FamilyInput& input, ModelSpec& model);        // kimi_vl.cpp
void read_minicpm_v(const FamilyInput& input, ModelSpec& model);      // minicpm_v.cpp
void read_deepseek_ocr(const FamilyInput& input, ModelSpec& model);   // deepseek_ocr.cpp
void read_molmo(const FamilyInput& input, ModelSpec& model);          // molmo.cpp

}  // namespace gpu_advisor::model
