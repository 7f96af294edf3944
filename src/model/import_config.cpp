#include <array>
#include <cmath>
#include <string>

#include "families/family_internal.hpp"
#include "gpu_advisor/support/text.hpp"
#include "import_config_internal.hpp"

namespace gpu_advisor::model {
namespace {

using support::Csv;
using support::Json;
using support::Result;
using support::Status;

struct Column {
  std::string_view csv, key;
};
constexpr std::array kColumns{
    Column{"layers", "num_hidden_layers"},
    Column{"hidden_size", "hidden_size"},
    Column{"intermediate_size", "intermediate_size"},
    Column{"heads", "num_attention_heads"},
    Column{"kv_heads", "num_key_value_heads"},
    Column{"head_dim", "head_dim"},
    Column{"vocab_size", "vocab_size"},
    Column{"max_context", "max_position_embeddings"},
    Column{"sliding_window", "sliding_window"},
    Column{"kv_lora_rank", "kv_lora_rank"},
    Column{"q_lora_rank", "q_lora_rank"},
    Column{"qk_nope_head_dim", "qk_nope_head_dim"},
    Column{"qk_rope_head_dim", "qk_rope_head_dim"},
    Column{"v_head_dim", "v_head_dim"},
    Column{"experts", "num_experts"},
    Column{"top_k", "num_experts_per_tok"},
    Column{"shared_experts", "n_shared_experts"},
    Column{"moe_intermediate_size", "moe_intermediate_size"},
    Column{"first_dense_layers", "first_k_dense_replace"},
};

// Names of the column "extra" (a JSON object) and the config keys that they stand for.
constexpr std::array kExtras{
    Column{"word_dim", "word_embed_proj_dim"},
    Column{"pos", "max_position_embeddings"},
    Column{"types", "type_vocab_size"},
    Column{"emb", "embedding_size"},
    Column{"enc_layers", "encoder_layers"},
    Column{"dec_layers", "decoder_layers"},
    Column{"mels", "num_mel_bins"},
    Column{"nk", "linear_num_key_heads"},
    Column{"nv", "linear_num_value_heads"},
    Column{"kd", "linear_key_head_dim"},
    Column{"vd", "linear_value_head_dim"},
    Column{"conv", "conv_kernel"},
    Column{"every", "full_attention_interval"},
    Column{"shared_ff", "shared_expert_intermediate_size"},
    Column{"pattern", "hybrid_override_pattern"},
    Column{"state", "ssm_state_size"},
    Column{"groups", "n_groups"},
    Column{"mheads", "mamba_num_heads"},
    Column{"mhd", "mamba_head_dim"},
    Column{"latent", "moe_latent_size"},
    Column{"moe_every", "interleave_moe_layer_step"},
    Column{"index_heads", "index_n_heads"},
    Column{"index_dim", "index_head_dim"},
};

Status add_extras(const Csv& csv, std::size_t row, Json& config) {
  const std::string_view cell = csv.cell(row, "extra");
  if (cell.empty()) {
    return support::ok();
  }
  GPU_ADVISOR_TRY(const Json extra, support::parse_json(cell, "extra"));
  for (const auto& item : extra.items()) {
    std::string_view key;
    for (const Column& column : kExtras) {
      key = column.csv == item.key() ? column.key : key;
    }
    if (key.empty()) {
      return csv.fail(row, "column extra: the name \"" + item.key() + "\" is not known");
    }
    config[std::string(key)] = item.value();
  }
  return support::ok();
}

bool formula_has(const Csv& csv, std::size_t row, std::string_view part) {
  for (const std::string_view word : support::split(csv.cell(row, "formula"), '+')) {
    if (word == part) {
      return true;
    }
  }
  return false;
}

void rename(Json& config, const std::string& from, const std::string& to) {
  if (config.contains(from)) {
    config[to] = config[from];
    config.erase(from);
  }
}

/// What a formula or a class of models means for keys that no column has.
void adapt(const Csv& csv, std::size_t row, Json& config) {
  const std::string_view base = base_of(csv.cell(row, "arch_class"));
  if (base == "Llama" && formula_has(csv, row, "qkvb")) {
    config["attention_bias"] = true;
  }
  if (formula_has(csv, row, "mlpb")) {
    config["mlp_bias"] = true;
  }
  if (base == "InternLM" && formula_has(csv, row, "ob")) {
    config["attention_bias"] = true;
  }
  if (formula_has(csv, row, "postnorm")) {
    config["do_layer_norm_before"] = false;
  }
  if (base == "T5" || base == "MT5") {
    rename(config, "head_dim", "d_kv");
    rename(config, "num_hidden_layers", "num_layers");
    rename(config, "num_attention_heads", "num_heads");
    config["feed_forward_proj"] = formula_has(csv, row, "gated") ? "gated-gelu" : "relu";
  }
  if (base == "Falcon") {
    config["new_decoder_architecture"] = csv.cell(row, "kv_heads") != "1";
    config["tie_word_embeddings"] = !formula_has(csv, row, "head");
  }
  if (base == "Llama4") {
    rename(config, "intermediate_size", "intermediate_size_mlp");
    rename(config, "moe_intermediate_size", "intermediate_size");
    rename(config, "sliding_window", "attention_chunk_size");
    config.erase("first_k_dense_replace");
    config.erase("n_shared_experts");
  }
  if (base == "NemotronH") {
    rename(config, "shared_expert_intermediate_size", "moe_shared_expert_intermediate_size");
  }
  const bool doubled = base == "QWen" || base == "Molmo";  // gate and up counted together
  if (doubled && config.contains("intermediate_size")) {
    config["intermediate_size"] = 2 * config["intermediate_size"].get<std::int64_t>();
  }
}

/// The type of the text part of classes that nest it.
std::string_view text_type(std::string_view base) {
  struct Nested {
    std::string_view base, type;
  };
  constexpr std::array kNested{
      Nested{"DeepseekOCR2", "deepseek_v2"},
      Nested{"Gemma3", "gemma3_text"},
      Nested{"Gemma4", "gemma4_text"},
      Nested{"KimiK25", "kimi_k2"},
      Nested{"Lfm2Vl", "lfm2"},
      Nested{"LightOnOCR", "qwen3"},
      Nested{"Llama4", "llama4_text"},
      Nested{"Llava", "llama"},
      Nested{"Mistral3", "ministral3"},
      Nested{"Mllama", "mllama_text_model"},
      Nested{"Qwen3VL", "qwen3_vl_text"},
      Nested{"Qwen3VLMoe", "qwen3_vl_moe_text"},
      Nested{"Qwen3_5", "qwen3_5_text"},
      Nested{"Qwen3_5Moe", "qwen3_5_moe_text"},
      Nested{"Voxtral", "llama"},
  };
  for (const Nested& nested : kNested) {
    if (nested.base == base) {
      return nested.type;
    }
  }
  return {};
}

}  // namespace

Result<Json> config_of_row(const Csv& csv, std::size_t row) {
  Json config = Json::object();
  for (const Column& column : kColumns) {
    GPU_ADVISOR_TRY(const auto number, csv.number(row, column.csv));
    if (number) {
      config[std::string(column.key)] = std::llround(*number);
    }
  }
  if (!config.contains("num_hidden_layers")) {
    return Json::object();
  }
  // Some rows give the width of dense blocks in the column of experts' widths.
  if (!config.contains("num_experts") && !config.contains("intermediate_size")) {
    rename(config, "moe_intermediate_size", "intermediate_size");
  }
  const std::string_view tied = csv.cell(row, "tie_embeddings");
  if (!tied.empty()) {
    config["tie_word_embeddings"] = tied == "true";
  }
  GPU_ADVISOR_CHECKED(add_extras(csv, row, config));
  adapt(csv, row, config);
  const std::string_view type = text_type(base_of(csv.cell(row, "arch_class")));
  if (type.empty()) {
    return config;
  }
  config["model_type"] = type;
  Json whole = Json::object();
  whole["text_config"] = std::move(config);
  return whole;
}

}  // namespace gpu_advisor::model
