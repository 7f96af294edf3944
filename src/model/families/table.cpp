#include <algorithm>
#include <array>

#include "diffusion_internal.hpp"
#include "multimodal_internal.hpp"

namespace gpu_advisor::model {
namespace {

// Traits that several families share.
constexpr DecoderTraits kQwen2{.qkv_bias = true};
constexpr DecoderTraits kQwen3{.head_norm = HeadNorm::per_head};
constexpr DecoderTraits kGpt2{.norm_bias = true,
                              .qkv_bias = true,
                              .output_bias = true,
                              .ffn_bias = true,
                              .gated = false,
                              .tied = true,
                              .position_offset = 0};
constexpr DecoderTraits kNeoX{
    .norm_bias = true, .qkv_bias = true, .output_bias = true, .ffn_bias = true, .gated = false};
constexpr DecoderTraits kBloom{.norm_bias = true,
                               .qkv_bias = true,
                               .output_bias = true,
                               .ffn_bias = true,
                               .gated = false,
                               .tied = true,
                               .embedding_norm = true};
constexpr DecoderTraits kOpt{.norm_bias = true,
                             .qkv_bias = true,
                             .output_bias = true,
                             .ffn_bias = true,
                             .gated = false,
                             .tied = true,
                             .position_offset = 2};
constexpr DecoderTraits kPhi{.norm_bias = true,
                             .norms = 1,
                             .qkv_bias = true,
                             .output_bias = true,
                             .ffn_bias = true,
                             .gated = false,
                             .head_bias = true};
constexpr DecoderTraits kTied{.tied = true};
constexpr DecoderTraits kDeepseek{.router_bias = true};

// Sorted by base within each kind. To add a family: one row here, one reader where the plain
// decoder with traits does not do (src/model/README.md).
constexpr std::array kRows{
    // Decoders.
    FamilyRow{"Apertus",
              "apertus",
              Arch::dense,
              "text",
              read_apertus,
              {.head_norm = HeadNorm::per_head, .gated = false}},
    FamilyRow{"Baichuan", "baichuan", Arch::dense, "text", read_plain_decoder},
    FamilyRow{"BaiChuan", "", Arch::dense, "text", read_plain_decoder},
    FamilyRow{"Bloom", "bloom", Arch::dense, "text", read_plain_decoder, kBloom},
    FamilyRow{"ChatGLM", "chatglm", Arch::dense, "text", read_chatglm, {.qkv_bias = true}},
    FamilyRow{
        "Cohere", "cohere", Arch::dense, "text", read_plain_decoder, {.norms = 1, .tied = true}},
    FamilyRow{"Cohere2",
              "cohere2",
              Arch::dense,
              "text",
              read_plain_decoder,
              {.norms = 1, .tied = true, .full_every = 4}},
    FamilyRow{"DeciLM", "nemotron-nas", Arch::dense, "text", read_deci},
    FamilyRow{"Exaone4",
              "exaone4",
              Arch::dense,
              "text",
              read_plain_decoder,
              {.head_norm = HeadNorm::per_head, .full_every = 4}},
    FamilyRow{"Falcon",
              "falcon",
              Arch::dense,
              "text",
              read_falcon,
              {.norm_bias = true, .gated = false, .tied = true}},
    FamilyRow{"Gemma", "gemma", Arch::dense, "text", read_plain_decoder, kTied},
    FamilyRow{"Gemma2",
              "gemma2",
              Arch::dense,
              "text",
              read_plain_decoder,
              {.norms = 4, .tied = true, .full_every = 2}},
    FamilyRow{"Gemma3Text",
              "gemma3_text",
              Arch::dense,
              "text",
              read_plain_decoder,
              {.norms = 4, .head_norm = HeadNorm::per_head, .tied = true, .full_every = 6}},
    FamilyRow{"Gemma4Text",
              "gemma4_text",
              Arch::dense,
              "text",
              read_gemma4_text,
              {.head_norm = HeadNorm::per_head, .tied = true, .full_every = 6}},
    FamilyRow{"Glm", "glm", Arch::dense, "text", read_plain_decoder, {.qkv_bias = true}},
    FamilyRow{
        "Glm4", "glm4", Arch::dense, "text", read_plain_decoder, {.norms = 4, .qkv_bias = true}},
    FamilyRow{"GPT2", "gpt2", Arch::dense, "text", read_plain_decoder, kGpt2},
    FamilyRow{"GPTBigCode", "gpt_bigcode", Arch::dense, "text", read_plain_decoder, kGpt2},
    FamilyRow{"GPTJ",
              "gptj",
              Arch::dense,
              "text",
              read_plain_decoder,
              {.norm_bias = true, .norms = 1, .ffn_bias = true, .gated = false, .head_bias = true}},
    FamilyRow{"GPTNeo",
              "gpt_neo",
              Arch::dense,
              "text",
              read_gpt_neo,
              {.norm_bias = true,
               .output_bias = true,
               .ffn_bias = true,
               .gated = false,
               .tied = true,
               .position_offset = 0}},
    FamilyRow{"GPTNeoX", "gpt_neox", Arch::dense, "text", read_plain_decoder, kNeoX},
    FamilyRow{"Granite", "granite", Arch::dense, "text", read_plain_decoder, kTied},
    FamilyRow{"InternLM", "internlm", Arch::dense, "text", read_plain_decoder},
    FamilyRow{"InternLM2", "internlm2", Arch::dense, "text", read_plain_decoder},
    FamilyRow{"InternLM3", "internlm3", Arch::dense, "text", read_plain_decoder},
    FamilyRow{"Llama", "llama", Arch::dense, "text", read_plain_decoder},
    FamilyRow{"MiMo", "mimo", Arch::dense, "text", read_plain_decoder, kQwen2},
    FamilyRow{"MiniCPM", "minicpm", Arch::dense, "text", read_plain_decoder, kTied},
    FamilyRow{"Ministral3", "ministral3", Arch::dense, "text", read_plain_decoder},
    FamilyRow{"Mistral", "mistral", Arch::dense, "text", read_plain_decoder},
    FamilyRow{"MixFormerSequential", "mixformer-sequential", Arch::dense, "text",
              read_plain_decoder, kPhi},
    FamilyRow{"MPT", "mpt", Arch::dense, "text", read_mpt, {.gated = false, .tied = true}},
    FamilyRow{"Nemotron",
              "nemotron",
              Arch::dense,
              "text",
              read_plain_decoder,
              {.norm_bias = true, .gated = false}},
    FamilyRow{"Olmo", "olmo", Arch::dense, "text", read_olmo, {.norms = 0}},
    FamilyRow{
        "Olmo2", "olmo2", Arch::dense, "text", read_plain_decoder, {.head_norm = HeadNorm::whole}},
    FamilyRow{"Olmo3",
              "olmo3",
              Arch::dense,
              "text",
              read_plain_decoder,
              {.head_norm = HeadNorm::whole, .full_every = 4}},
    FamilyRow{"OPT", "opt", Arch::dense, "text", read_opt, kOpt},
    FamilyRow{"Orion", "orion", Arch::dense, "text", read_plain_decoder, {.norm_bias = true}},
    FamilyRow{"Persimmon",
              "persimmon",
              Arch::dense,
              "text",
              read_plain_decoder,
              {.norm_bias = true,
               .qkv_bias = true,
               .output_bias = true,
               .ffn_bias = true,
               .head_norm = HeadNorm::per_head_with_bias,
               .gated = false}},
    FamilyRow{"Phi", "phi", Arch::dense, "text", read_plain_decoder, kPhi},
    FamilyRow{"Phi3", "phi3", Arch::dense, "text", read_plain_decoder},
    FamilyRow{"QWen", "qwen", Arch::dense, "text", read_qwen1, kQwen2},
    FamilyRow{"Qwen2", "qwen2", Arch::dense, "text", read_plain_decoder, kQwen2},
    FamilyRow{"Qwen3", "qwen3", Arch::dense, "text", read_plain_decoder, kQwen3},
    FamilyRow{
        "RW", "RefinedWeb", Arch::dense, "text", read_falcon, {.norm_bias = true, .gated = false}},
    FamilyRow{"SmolLM3", "smollm3", Arch::dense, "text", read_plain_decoder, kTied},
    FamilyRow{"StableLm", "stablelm", Arch::dense, "text", read_plain_decoder, {.norm_bias = true}},
    FamilyRow{"Starcoder2",
              "starcoder2",
              Arch::dense,
              "text",
              read_plain_decoder,
              {.norm_bias = true,
               .qkv_bias = true,
               .output_bias = true,
               .ffn_bias = true,
               .gated = false,
               .tied = true}},
    // Mixtures of experts.
    FamilyRow{"Deepseek", "deepseek", Arch::moe, "text", read_latent},
    FamilyRow{"DeepseekV2", "deepseek_v2", Arch::moe, "text", read_latent},
    FamilyRow{"DeepseekV3", "deepseek_v3", Arch::moe, "text", read_latent, kDeepseek},
    FamilyRow{"DeepseekV32", "deepseek_v32", Arch::moe, "text", read_latent, kDeepseek},
    FamilyRow{"DeepseekV4", "deepseek_v4", Arch::moe, "text", read_deepseek_v4, kDeepseek},
    FamilyRow{"Glm4Moe",
              "glm4_moe",
              Arch::moe,
              "text",
              read_latent,
              {.qkv_bias = true, .head_norm = HeadNorm::per_head, .router_bias = true}},
    FamilyRow{"GlmMoeDsa", "glm_moe_dsa", Arch::moe, "text", read_latent, kDeepseek},
    FamilyRow{"GptOss",
              "gpt_oss",
              Arch::moe,
              "text",
              read_gpt_oss,
              {.qkv_bias = true, .output_bias = true, .full_every = 2}},
    FamilyRow{"GraniteMoe", "granitemoe", Arch::moe, "text", read_plain_decoder, kTied},
    FamilyRow{"", "kimi_k2", Arch::moe, "text", read_latent, kDeepseek},
    FamilyRow{"", "llama4_text", Arch::moe, "text", read_llama4},
    FamilyRow{"MiMoV2Flash", "mimo_v2_flash", Arch::moe, "text", read_mimo_flash, kDeepseek},
    FamilyRow{"MiniMaxM2",
              "minimax_m2",
              Arch::moe,
              "text",
              read_plain_decoder,
              {.head_norm = HeadNorm::whole, .router_bias = true}},
    FamilyRow{"Mixtral", "mixtral", Arch::moe, "text", read_plain_decoder},
    FamilyRow{
        "Olmoe", "olmoe", Arch::moe, "text", read_plain_decoder, {.head_norm = HeadNorm::whole}},
    FamilyRow{"PhiMoE",
              "phimoe",
              Arch::moe,
              "text",
              read_plain_decoder,
              {.norm_bias = true, .qkv_bias = true, .output_bias = true, .head_bias = true}},
    FamilyRow{"Qwen2Moe",
              "qwen2_moe",
              Arch::moe,
              "text",
              read_plain_decoder,
              {.qkv_bias = true, .shared_gate = true}},
    FamilyRow{"Qwen3Moe", "qwen3_moe", Arch::moe, "text", read_plain_decoder, kQwen3},
    FamilyRow{"", "mllama_text_model", Arch::dense, "text", read_plain_decoder},
    FamilyRow{"", "qwen3_vl_moe_text", Arch::moe, "text", read_plain_decoder, kQwen3},
    FamilyRow{"", "qwen3_vl_text", Arch::dense, "text", read_plain_decoder, kQwen3},
    FamilyRow{"Step3p7Flash", "step3p7", Arch::moe, "text", read_plain_decoder, kQwen3},
    // State-space and linear-attention hybrids.
    FamilyRow{"FalconMamba", "falcon_mamba", Arch::ssm_hybrid, "text", read_mamba},
    FamilyRow{"Lfm2",
              "lfm2",
              Arch::ssm_hybrid,
              "text",
              read_lfm2,
              {.head_norm = HeadNorm::per_head, .tied = true}},
    FamilyRow{"Lfm2Moe",
              "lfm2_moe",
              Arch::ssm_hybrid,
              "text",
              read_lfm2,
              {.head_norm = HeadNorm::per_head, .tied = true}},
    FamilyRow{"Mamba", "mamba", Arch::ssm_hybrid, "text", read_mamba, kTied},
    FamilyRow{
        "NemotronH", "nemotron_h", Arch::ssm_hybrid, "text", read_nemotron_h, {.gated = false}},
    FamilyRow{"", "qwen3_5_text", Arch::ssm_hybrid, "text", read_gated_delta, kQwen3},
    FamilyRow{"",
              "qwen3_5_moe_text",
              Arch::ssm_hybrid,
              "text",
              read_gated_delta,
              {.head_norm = HeadNorm::per_head, .shared_gate = true}},
    FamilyRow{"Qwen3Next",
              "qwen3_next",
              Arch::ssm_hybrid,
              "text",
              read_gated_delta,
              {.head_norm = HeadNorm::per_head, .shared_gate = true}},
    // Encoders, and encoders with decoders.
    FamilyRow{"Albert", "albert", Arch::encoder, "encoder", read_albert},
    FamilyRow{"Bart", "bart", Arch::encoder, "text", read_bart},
    FamilyRow{"Bert", "bert", Arch::encoder, "encoder", read_bert},
    FamilyRow{"CLIP", "clip", Arch::vit, "vision-language", read_clip},
    FamilyRow{"CLIPText", "clip_text_model", Arch::encoder, "encoder", read_clip_text},
    FamilyRow{"CLIPVision", "clip_vision_model", Arch::vit, "vision", read_clip_vision},
    FamilyRow{"Detr", "detr", Arch::cnn, "vision", read_detr},
    FamilyRow{"DistilBert", "distilbert", Arch::encoder, "encoder", read_bert, {.norms = 0}},
    FamilyRow{"Electra", "electra", Arch::encoder, "encoder", read_bert},
    FamilyRow{"MT5", "mt5", Arch::encoder, "text", read_t5},
    FamilyRow{"MT5Encoder", "", Arch::encoder, "encoder", read_t5_encoder},
    FamilyRow{"Roberta", "roberta", Arch::encoder, "encoder", read_bert},
    FamilyRow{"Sam", "sam", Arch::vit, "vision", read_sam},
    FamilyRow{"StableDiffusionSafetyChecker", "", Arch::vit, "vision", read_safety_checker},
    FamilyRow{"T5", "t5", Arch::encoder, "text", read_t5, kTied},
    FamilyRow{"T5Encoder", "", Arch::encoder, "encoder", read_t5_encoder, kTied},
    FamilyRow{"UMT5Encoder", "umt5", Arch::encoder, "encoder", read_t5_encoder},
    FamilyRow{"VisionEncoderDecoder", "vision-encoder-decoder", Arch::vit, "vision-language",
              read_vision_encoder_decoder},
    FamilyRow{"ViT", "vit", Arch::vit, "vision", read_image_encoder},
    FamilyRow{"Whisper", "whisper", Arch::asr, "audio", read_whisper},
    FamilyRow{"XLMRoberta", "xlm-roberta", Arch::encoder, "encoder", read_bert},
    // Parts of diffusion pipelines, by diffusers' class names.
    FamilyRow{"AutoencoderKL", "", Arch::diffusion, "diffusion", read_autoencoder},
    FamilyRow{"FluxTransformer2D", "", Arch::diffusion, "diffusion", read_flux},
    FamilyRow{"HunyuanDiT2D", "", Arch::diffusion, "diffusion", read_hunyuan_dit},
    FamilyRow{"MiniMaxH3DiT", "", Arch::diffusion, "diffusion", read_minimax_h3},
    FamilyRow{"SD3Transformer2D", "", Arch::diffusion, "diffusion", read_sd3},
    FamilyRow{"StableCascadeUNet", "", Arch::diffusion, "diffusion", read_cascade},
    FamilyRow{"UNet2DCondition", "", Arch::diffusion, "diffusion", read_unet},
    FamilyRow{"UNet3DCondition", "", Arch::diffusion, "diffusion", read_unet_3d},
    // Several modalities.
    FamilyRow{"DeepseekOCR2", "", Arch::moe, "vision-language", read_deepseek_ocr},
    FamilyRow{"Fuyu",
              "fuyu",
              Arch::dense,
              "vision-language",
              read_fuyu,
              {.norm_bias = true,
               .qkv_bias = true,
               .output_bias = true,
               .ffn_bias = true,
               .head_norm = HeadNorm::per_head_with_bias,
               .gated = false}},
    FamilyRow{"Gemma3", "gemma3", Arch::dense, "vision-language", read_gemma3_vision},
    FamilyRow{"Gemma4", "gemma4", Arch::moe, "vision-language", read_gemma4},
    FamilyRow{"KimiK25", "kimi_k25", Arch::moe, "vision-language", read_kimi_vl},
    FamilyRow{"Lfm2Vl", "lfm2_vl", Arch::ssm_hybrid, "vision-language", read_lfm2_vl},
    FamilyRow{"LightOnOCR", "lighton_ocr", Arch::dense, "vision-language", read_mistral3},
    FamilyRow{"Llava", "llava", Arch::dense, "vision-language", read_llava},
    FamilyRow{"Llama4", "llama4", Arch::moe, "vision-language", read_multimodal},
    FamilyRow{"MiniCPMV", "minicpmv", Arch::dense, "vision-language", read_minicpm_v},
    FamilyRow{"Mistral3", "mistral3", Arch::dense, "vision-language", read_mistral3},
    FamilyRow{"Mllama", "mllama", Arch::dense, "vision-language", read_mllama},
    FamilyRow{"Molmo", "molmo", Arch::dense, "vision-language", read_molmo, {.qkv_bias = true}},
    FamilyRow{"Qwen2_5_VL", "qwen2_5_vl", Arch::dense, "vision-language", read_qwen25_vl, kQwen2},
    FamilyRow{"Qwen2VL", "qwen2_vl", Arch::dense, "vision-language", read_qwen2_vl, kQwen2},
    FamilyRow{"Qwen3_5", "qwen3_5", Arch::ssm_hybrid, "vision-language", read_qwen3_vl},
    FamilyRow{"Qwen3_5Moe", "qwen3_5_moe", Arch::ssm_hybrid, "vision-language", read_qwen3_vl},
    FamilyRow{"Qwen3VL", "qwen3_vl", Arch::dense, "vision-language", read_qwen3_vl},
    FamilyRow{"Qwen3VLMoe", "qwen3_vl_moe", Arch::moe, "vision-language", read_qwen3_vl},
    FamilyRow{"Voxtral", "voxtral", Arch::dense, "audio", read_voxtral},
};

struct Ending {
  std::string_view text;
  TaskHead head;
};
// Longest first where one ends like another.
constexpr std::array kEndings{
    Ending{"ForCausalLM", TaskHead::causal},
    Ending{"ForConditionalGeneration", TaskHead::causal},
    Ending{"WithLMHeadModel", TaskHead::causal},
    Ending{"LMHeadModel", TaskHead::causal},
    Ending{"DoubleHeadsModel", TaskHead::causal},
    Ending{"ForMaskedLM", TaskHead::masked},
    Ending{"ForPreTraining", TaskHead::masked},
    Ending{"ForSequenceClassification", TaskHead::classification},
    Ending{"ForTokenClassification", TaskHead::classification},
    Ending{"ForQuestionAnswering", TaskHead::classification},
    Ending{"ForImageClassification", TaskHead::classification},
    Ending{"ForObjectDetection", TaskHead::classification},
    Ending{"ModelWithProjection", TaskHead::none},
    Ending{"Model", TaskHead::none},
};

const Ending* ending_of(std::string_view class_name) {
  const auto* found = std::ranges::find_if(
      kEndings, [class_name](const Ending& e) { return class_name.ends_with(e.text); });
  return found != kEndings.end() ? found : nullptr;
}

}  // namespace

std::span<const FamilyRow> family_rows() {
  return kRows;
}

std::string_view base_of(std::string_view class_name) {
  const Ending* ending = ending_of(class_name);
  return ending == nullptr ? class_name
                           : class_name.substr(0, class_name.size() - ending->text.size());
}

TaskHead task_of(std::string_view class_name) {
  const Ending* ending = ending_of(class_name);
  return ending == nullptr ? TaskHead::causal : ending->head;
}

const FamilyRow* find_text_family(std::string_view class_name, std::string_view model_type) {
  const std::string_view base = base_of(class_name);
  const auto matches = [&](const FamilyRow& row) {
    return row.modality == "text" && ((!base.empty() && row.base == base) ||
                                      (!model_type.empty() && row.model_type == model_type));
  };
  const auto* found = std::ranges::find_if(kRows, matches);
  return found != kRows.end() ? found : nullptr;
}

const FamilyRow* find_family(std::string_view class_name, std::string_view model_type) {
  const std::string_view base = base_of(class_name);
  const auto* found = std::ranges::find_if(
      kRows, [base](const FamilyRow& row) { return !base.empty() && row.base == base; });
  // "Gemma3ForCausalLM" of type "gemma3_text" is the text part alone.
  const FamilyRow* text = find_text_family("", model_type);
  if (found != kRows.end() && (found->modality != "vision-language" || text == nullptr)) {
    return found;
  }
  if (text != nullptr) {
    return text;
  }
  found = std::ranges::find_if(kRows, [model_type](const FamilyRow& row) {
    return !model_type.empty() && row.model_type == model_type;
  });
  return found != kRows.end() ? found : nullptr;
}

}  // namespace gpu_advisor::model
