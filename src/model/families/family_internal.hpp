#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "gpu_advisor/model/model_spec.hpp"
#include "model/config_internal.hpp"
#include "model/structure_internal.hpp"

namespace gpu_advisor::model {

/// What a model does at its end; told by the class name ("…ForCausalLM", "…Model").
enum class TaskHead { causal, masked, classification, none };

/// What a family's configs do not say because its code fixes it. Defaults are Llama's.
struct DecoderTraits {
  bool norm_bias = false;  // LayerNorm instead of RMSNorm
  std::int64_t norms = 2;  // per layer, of the model's width
  bool qkv_bias = false;   // where the config has no key for it
  bool output_bias = false;
  bool ffn_bias = false;
  HeadNorm head_norm = HeadNorm::none;
  bool gated = true;
  bool tied = false;  // where tie_word_embeddings is absent
  bool head_bias = false;
  bool router_bias = false;  // or score correction
  bool shared_gate = false;  // of shared experts
  bool fused_qkv = false;
  std::int64_t full_every =
      0;  // sliding windows but on every n-th layer, where the config is silent
  bool embedding_norm = false;
  std::int64_t position_offset = -1;  // learned positions: their number is the context and this
};

struct FamilyInput {
  const Config& config;
  TaskHead head = TaskHead::causal;
  const DecoderTraits& traits;
};
/// Fills the stacks of the model; faults go to the config.
using FamilyReader = void (*)(const FamilyInput& input, ModelSpec& model);

/// One row of the family table (families/table.cpp).
struct FamilyRow {
  std::string_view base;        // class name without its task: "Llama" of "LlamaForCausalLM"
  std::string_view model_type;  // for configs without a class
  Arch arch = Arch::dense;
  std::string_view modality = "text";
  FamilyReader read = nullptr;
  DecoderTraits traits = {};
};
[[nodiscard]] std::span<const FamilyRow> family_rows();
/// By class name, else by model_type; null when neither is known.
[[nodiscard]] const FamilyRow* find_family(std::string_view class_name,
                                           std::string_view model_type);
/// The same among families of text alone: for the text part of a model of several modalities.
[[nodiscard]] const FamilyRow* find_text_family(std::string_view class_name,
                                                std::string_view model_type);
[[nodiscard]] TaskHead task_of(std::string_view class_name);
[[nodiscard]] std::string_view base_of(std::string_view class_name);

// The readers, one file each.
void read_plain_decoder(const FamilyInput& input, ModelSpec& model);           // decoder.cpp
void read_qwen1(const FamilyInput& input, ModelSpec& model);                   // decoder.cpp
void read_apertus(const FamilyInput& input, ModelSpec& model);                 // decoder.cpp
void read_chatglm(const FamilyInput& input, ModelSpec& model);                 // decoder.cpp
void read_olmo(const FamilyInput& input, ModelSpec& model);                    // decoder.cpp
void read_gpt_neo(const FamilyInput& input, ModelSpec& model);                 // gpt.cpp
void read_gemma4_text(const FamilyInput& input, ModelSpec& model);             // gemma4.cpp
void read_latent(const FamilyInput& input, ModelSpec& model);                  // latent.cpp
void read_deepseek_v4(const FamilyInput& input, ModelSpec& model);             // deepseek_v4.cpp
void read_mpt(const FamilyInput& input, ModelSpec& model);                     // gpt.cpp
void read_fuyu(const FamilyInput& input, ModelSpec& model);                    // gpt.cpp
void read_opt(const FamilyInput& input, ModelSpec& model);                     // gpt.cpp
void read_falcon(const FamilyInput& input, ModelSpec& model);                  // falcon.cpp
void read_llama4(const FamilyInput& input, ModelSpec& model);                  // llama4.cpp
void read_gemma4(const FamilyInput& input, ModelSpec& model);                  // gemma4.cpp
void read_mimo_flash(const FamilyInput& input, ModelSpec& model);              // mimo.cpp
void read_gpt_oss(const FamilyInput& input, ModelSpec& model);                 // gpt_oss.cpp
void read_gated_delta(const FamilyInput& input, ModelSpec& model);             // gated_delta.cpp
void read_nemotron_h(const FamilyInput& input, ModelSpec& model);              // nemotron_h.cpp
void read_deci(const FamilyInput& input, ModelSpec& model);                    // deci.cpp
void read_lfm2(const FamilyInput& input, ModelSpec& model);                    // lfm2.cpp
void read_mamba(const FamilyInput& input, ModelSpec& model);                   // mamba.cpp
void read_bert(const FamilyInput& input, ModelSpec& model);                    // bert.cpp
void read_albert(const FamilyInput& input, ModelSpec& model);                  // bert.cpp
void read_t5(const FamilyInput& input, ModelSpec& model);                      // t5.cpp
void read_t5_encoder(const FamilyInput& input, ModelSpec& model);              // t5.cpp
void read_bart(const FamilyInput& input, ModelSpec& model);                    // bart.cpp
void read_whisper(const FamilyInput& input, ModelSpec& model);                 // bart.cpp
void read_image_encoder(const FamilyInput& input, ModelSpec& model);           // vision.cpp
void read_clip(const FamilyInput& input, ModelSpec& model);                    // clip.cpp
void read_clip_text(const FamilyInput& input, ModelSpec& model);               // clip.cpp
void read_clip_vision(const FamilyInput& input, ModelSpec& model);             // clip.cpp
void read_safety_checker(const FamilyInput& input, ModelSpec& model);          // clip.cpp
void read_sam(const FamilyInput& input, ModelSpec& model);                     // sam.cpp
void read_detr(const FamilyInput& input, ModelSpec& model);                    // detr.cpp
void read_vision_encoder_decoder(const FamilyInput& input, ModelSpec& model);  // detr.cpp
void read_multimodal(const FamilyInput& input, ModelSpec& model);              // multimodal.cpp
void read_mllama(const FamilyInput& input, ModelSpec& model);                  // mllama.cpp
void read_generic(const FamilyInput& input, ModelSpec& model);                 // generic.cpp

}  // namespace gpu_advisor::model
