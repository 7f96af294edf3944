#include <algorithm>
#include <array>
#include <cctype>

#include "gpu_advisor/support/text.hpp"
#include "gpu_advisor/workload/words.hpp"
#include "measurements_internal.hpp"

namespace gpu_advisor::commands {
namespace {

using support::Csv;
using support::Result;
using workload::Request;
using workload::Task;

/// One row with typed access; words such as "unknown" are empty.
class Row {
 public:
  Row(const Csv& csv, std::size_t at) : csv_(&csv), at_(at) {}
  [[nodiscard]] std::string text(std::string_view column) const {
    return std::string(csv_->cell(at_, column));
  }
  [[nodiscard]] std::string word(std::string_view column) const {
    const std::string lower = support::to_lower(csv_->cell(at_, column));
    return lower == "unknown" || lower == "na" || lower == "n/a" || lower == "-" ? "" : lower;
  }
  [[nodiscard]] std::optional<double> number(std::string_view column) const {
    const auto value = support::parse_number(csv_->cell(at_, column));
    return value && *value > 0 ? value : std::nullopt;
  }
  template <typename Integer>
  void take(std::string_view column, std::optional<Integer>& out) const {
    if (const auto value = number(column))
      out = static_cast<Integer>(*value);
  }
  void take_text(std::string_view column, std::optional<std::string>& out) const {
    if (std::string value = word(column); !value.empty())
      out = std::move(value);
  }

 private:
  const Csv* csv_;
  std::size_t at_;
};

bool usable(const Row& row) {
  const std::string notes = support::to_lower(row.text("notes"));
  return std::ranges::none_of(
      std::array{"flag", "speculative", "speculation", "mtp"},
      [&notes](const char* mark) { return notes.find(mark) != std::string::npos; });
}

/// "12.3 GMACs" in the notes.
std::optional<double> noted(const std::string& notes, std::string_view unit) {
  const std::size_t at = notes.find(unit);
  if (at == std::string::npos || at < 2)
    return std::nullopt;
  std::size_t start = at - 1;
  while (start > 0 &&
         std::string_view("0123456789.").find(notes[start - 1]) != std::string_view::npos)
    --start;
  return support::parse_number(std::string_view(notes).substr(start, at - 1 - start));
}

void take_model(const Row& row, Request& request) {
  request.id = row.text("id");
  request.model_name = row.text("model_name");
  model::Dimensions& dims = request.dimensions;
  if (const auto arch = workload::parse_word<model::Arch>(row.word("arch")))
    dims.arch = *arch;
  if (const auto count = row.number("params_b"))
    dims.parameters = *count * 1e9;
  if (const auto count = row.number("active_params_b"))
    dims.active_parameters = *count * 1e9;
  row.take("layers", dims.layers);
  row.take("hidden", dims.hidden);
  row.take("heads", dims.heads);
  row.take("kv_heads", dims.kv_heads);
  row.take("head_dim", dims.head_dim);
  row.take("ffn_hidden", dims.ffn_hidden);
  row.take("vocab", dims.vocab);
  row.take("experts", dims.experts);
  row.take("top_k", dims.top_k);
  dims.gmacs = noted(row.text("notes"), " GMACs");
  dims.activations_m = noted(row.text("notes"), " M activations");
}

void take_machine(const Row& row, Request& request) {
  request.gpu = row.text("gpu");
  row.take("n_gpus", request.count);
  row.take("n_nodes", request.nodes);
  for (auto& [column, out] : {std::pair{"tp", &request.tp},
                              {"pp", &request.pp},
                              {"dp", &request.dp},
                              {"ep", &request.ep}})
    row.take(column, *out);
}

/// 'NVLink+RoCE-1600Gbps': within a node, between nodes.
void take_links(const Row& row, Request& request) {
  const std::string text = row.word("interconnect");
  for (const std::string_view link : {"nvl72", "nvlink", "pcie"})
    if (request.interconnect.empty() && text.find(link) != std::string::npos)
      request.interconnect = link;
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kFabrics{
      {{"omnipath", "omni-path"},
       {"roce", "roce"},
       {"efa", "efa"},
       {"ethernet", "ethernet"},
       {"rdma", "ib"},
       {"ib", "ib"}}};
  for (const auto& [mark, fabric] : kFabrics)
    if (request.network.empty() && text.find(mark) != std::string::npos)
      request.network = fabric;
}

struct TaskWord {
  std::string_view word;
  Task task;
  workload::Method method;
};
constexpr std::array kTasks{TaskWord{"pretrain", Task::pretrain, workload::Method::full},
                            TaskWord{"full-ft", Task::finetune, workload::Method::full},
                            TaskWord{"lora", Task::finetune, workload::Method::lora},
                            TaskWord{"qlora", Task::finetune, workload::Method::qlora},
                            TaskWord{"vision-train", Task::vision_train, workload::Method::full},
                            TaskWord{"dreambooth", Task::diffusion_train, workload::Method::full}};

/// 'nf4+bf16' is a quantised base with bf16 compute; 'fp16-amp' is autocast over fp32 weights.
void take_precision(const Row& row, Request& request) {
  std::string text = row.word("precision");
  if (text.empty())
    return;
  if (const std::size_t plus = text.find('+'); plus != std::string::npos) {
    request.base_quant = text.substr(0, plus);
    text = text.substr(plus + 1);
  }
  if (text.ends_with("-amp"))
    text = "amp-" + text.substr(0, text.size() - 4);
  request.precision_text = text;
  if (const auto precision = workload::parse_word<workload::Precision>(text))
    request.precision = *precision;
}

Measurement training(const Row& row) {
  Measurement run;
  Request& request = run.request;
  take_model(row, request);
  take_machine(row, request);
  take_links(row, request);
  const std::string word = row.word("task");
  const auto task = std::ranges::find(kTasks, word.empty() ? "pretrain" : word, &TaskWord::word);
  request.task = task == kTasks.end() ? Task::finetune : task->task;
  request.method = task == kTasks.end() ? workload::Method::full : task->method;
  const auto arch = request.dimensions.arch;
  if (arch == model::Arch::cnn || arch == model::Arch::vit)
    request.task = Task::vision_train;
  if (arch == model::Arch::diffusion)
    request.task = Task::diffusion_train;
  const bool pixels = request.task == Task::vision_train || request.task == Task::diffusion_train;
  if (pixels)
    row.take("seq_len_or_res", request.resolution);
  else
    row.take("seq_len_or_res", request.seq_len);
  row.take("micro_batch", request.micro_batch);
  row.take("grad_accum", request.grad_accum);
  row.take("global_batch", request.global_batch);
  take_precision(row, request);
  row.take_text("optimizer", request.optimizer);
  if (const auto kind = workload::parse_word<workload::Checkpointing>(row.word("act_ckpt")))
    request.checkpointing = *kind;
  if (const std::string flash = row.word("flash_attn"); !flash.empty())
    request.flash_attention = flash == "y";
  if (const auto stage = support::parse_number(row.word("zero_stage")))
    request.zero_stage = static_cast<int>(*stage);
  row.take("lora_rank", request.lora_rank);
  row.take_text("framework", request.framework);
  run.tokens_per_s_per_gpu = row.number("tokens_per_s_per_gpu");
  run.samples_per_s_per_gpu = row.number("samples_per_s_per_gpu");
  return run;
}

Measurement inference(const Row& row) {
  Measurement run;
  Request& request = run.request;
  take_model(row, request);
  take_machine(row, request);
  const auto arch = request.dimensions.arch;
  request.task = Task::inference;
  if (arch == model::Arch::cnn || arch == model::Arch::vit)
    request.task = Task::vision_inference;
  if (arch == model::Arch::diffusion)
    request.task = Task::diffusion_inference;
  row.take_text("engine", request.engine);
  row.take_text("weight_quant", request.quant);
  row.take_text("kv_dtype", request.kv_dtype);
  row.take("batch_or_concurrency", request.concurrency);
  row.take("isl", request.input_len);
  row.take("osl", request.output_len);
  row.take("context_len", request.context);
  run.prefill_tok_s = row.number("prefill_tok_s");
  run.decode_tok_s = row.number("decode_tok_s_per_request");
  run.output_tok_s = row.number("total_output_tok_s");
  run.total_tok_s = row.number("total_tok_s");
  run.requests_s = row.number("requests_s");
  run.ttft_ms = row.number("ttft_ms");
  run.tpot_ms = row.number("tpot_ms");
  run.samples_s = row.number("samples_s");
  if (!request.concurrency)
    request.concurrency_max =
        run.output_tok_s || run.total_tok_s || run.requests_s || run.samples_s;
  return run;
}

/// The repository, or the head of what else the source is.
std::string source_of(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos || text.starts_with("http"))
    return text.substr(0, 24);
  const auto part_of_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-';
  };
  std::size_t end = slash + 1;
  while (end < text.size() && part_of_name(text[end]))
    ++end;
  return text.substr(0, end);
}

}  // namespace

Result<std::vector<Measurement>> read_measurements(std::string_view text, std::string_view file) {
  GPU_ADVISOR_TRY(const Csv csv, Csv::parse(text, file));
  GPU_ADVISOR_CHECKED(csv.require({"id", "source", "model_name", "gpu", "n_gpus", "notes"}));
  const bool trains = csv.require({"tokens_per_s_per_gpu"}).has_value();
  std::vector<Measurement> runs;
  for (std::size_t i = 0; i < csv.size(); ++i) {
    const Row row(csv, i);
    if (row.text("id").empty() || !usable(row))
      continue;
    runs.push_back(trains ? training(row) : inference(row));
    runs.back().source = source_of(row.text("source"));
  }
  return runs;
}

}  // namespace gpu_advisor::commands
