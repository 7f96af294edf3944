#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpu_advisor/catalog/catalog.hpp"
#include "gpu_advisor/model/model_spec.hpp"
#include "gpu_advisor/units/data_type.hpp"
#include "gpu_advisor/units/parse.hpp"
#include "gpu_advisor/units/quantity.hpp"

namespace gpu_advisor::workload {

enum class Task {
  inference,
  pretrain,
  finetune,
  vision_train,
  vision_inference,
  diffusion_train,
  diffusion_inference
};
enum class Method { full, lora, qlora };
/// fp32/tf32: as they say. fp16/bf16: weights held in 16 bits as the named framework does (with or
/// without fp32 masters). amp_*: autocast over fp32 weights. fp8: fp8 matrix products over 16-bit.
enum class Precision { fp32, tf32, fp16, bf16, fp8, amp_fp16, amp_bf16 };
enum class Checkpointing { none, selective, full };

[[nodiscard]] std::string_view name(Task task);
[[nodiscard]] std::string_view name(Method method);
[[nodiscard]] std::string_view name(Precision precision);
[[nodiscard]] std::string_view name(Checkpointing checkpointing);
[[nodiscard]] bool is_training(Task task);
/// The type in which matrix products run under this precision.
[[nodiscard]] units::DataType compute_type(Precision precision);

/// A workload as the user gave it (INTERFACE.md "Workload object" and "Workload flags"): everything
/// optional, only validated and stored. `resolve` makes a `Workload` of it.
struct Request {
  std::string id;
  // model
  std::string model_name;    // preset name, or a path
  std::string model_config;  // path of a config
  model::Dimensions dimensions;
  std::optional<Task> task;
  // training
  std::optional<Method> method;
  std::optional<Precision> precision;
  std::string precision_text;  // as written ("mxfp8", "nvfp4"): kept when finer than the enum
  std::optional<std::int64_t> micro_batch, grad_accum, global_batch, seq_len;
  std::optional<int> resolution;
  std::optional<std::string> base_quant, optimizer, framework;
  std::optional<Checkpointing> checkpointing;
  std::optional<bool> flash_attention;
  std::optional<int> zero_stage, lora_rank;
  std::optional<double> tokens, samples, epochs;
  std::optional<units::Seconds> deadline;
  // inference
  std::optional<std::string> engine, quant, kv_dtype;
  std::optional<std::int64_t> concurrency, input_len, output_len, context;
  bool concurrency_max = false;  // "max": as many as memory allows
  std::optional<double> qps, ttft_ms, tpot_ms, min_tokens_per_s;
  // hardware and layout, for `estimate`
  std::string gpu;
  std::optional<int> count, nodes;
  std::string interconnect, network;
  std::optional<double> network_gbps;
  std::optional<int> tp, pp, dp, cp, ep;
};

/// Low-rank adapters.
struct Adapter {
  int rank = 16;
};

/// A workload with nothing left open: the model is built, every default is filled and listed.
struct Workload {
  std::string id;
  model::ModelSpec model;
  Task task = Task::inference;
  // training
  Method method = Method::full;
  Precision precision = Precision::bf16;
  std::string precision_text;
  std::int64_t micro_batch = 1;  // sequences or samples per data-parallel rank and forward pass
  std::int64_t grad_accum = 1;
  std::optional<std::int64_t> global_batch;
  bool micro_batch_given = false;
  std::int64_t seq_len = 2048;
  std::optional<int> resolution;
  std::optional<units::Quantisation> base_quant;  // frozen base weights of LoRA/QLoRA
  std::string optimizer = "adamw";
  std::string framework;  // "" unknown; folded lower-case name otherwise
  Checkpointing checkpointing = Checkpointing::none;
  bool checkpointing_given = false;
  bool flash_attention = true;
  std::optional<int> zero_stage;  // as given
  int lora_rank = 16;
  std::optional<double> tokens, samples, epochs;
  std::optional<units::Seconds> deadline;
  // inference
  std::string engine = "vllm";  // folded: "vllm", "llama.cpp", "trt-llm", "transformers", …
  bool engine_given = false;
  units::Quantisation quant;  // of the weights
  bool quant_given = false;
  units::DataType kv_type = units::DataType::fp16;
  double kv_bits = 0;  // stored bits per cached element where scales add to the type; 0: none do
  std::int64_t concurrency = 1;
  bool concurrency_max = false;
  std::int64_t input_len = 512;
  std::int64_t output_len = 128;
  std::int64_t context = 640;  // tokens a sequence may reach: at least input + output
  std::optional<double> qps, ttft_ms, tpot_ms, min_tokens_per_s;
  std::vector<std::string> assumptions;  // every default and inference used
  std::vector<std::string> warnings;
};

/// One GPU type in a number, with its links: what an estimate runs on.
struct Machine {
  const catalog::Accelerator* gpu = nullptr;
  int count = 1;  // all GPUs over all nodes
  int nodes = 1;
  catalog::NodeLink link = catalog::NodeLink::unknown;  // unknown: the accelerator's own link
  catalog::Fabric fabric = catalog::Fabric::unknown;
  std::optional<units::BytesPerSecond> network;      // one way per node
  std::optional<double> vcpus;                       // per node
  std::optional<units::Bytes> host_ram, local_disk;  // per node
  std::vector<std::string> assumptions;
  [[nodiscard]] int gpus_per_node() const { return (count + nodes - 1) / nodes; }
};

/// How the work is split. Degrees multiply to the GPU count (tp*pp*dp*cp; ep divides tp*dp*cp).
struct Layout {
  int tp = 1, pp = 1, dp = 1, cp = 1, ep = 1;
  int zero_stage = 0;  // 0: replicated; 3: fully sharded
  std::int64_t micro_batch = 1;
  std::int64_t grad_accum = 1;
  Checkpointing checkpointing = Checkpointing::none;
  [[nodiscard]] int gpus() const { return tp * pp * dp * cp; }
  bool operator==(const Layout&) const = default;
};

}  // namespace gpu_advisor::workload
