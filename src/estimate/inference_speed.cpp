#include <algorithm>
#include <cmath>

#include "collective_internal.hpp"
#include "memory_internal.hpp"
#include "roofline_internal.hpp"
#include "time_internal.hpp"

namespace gpu_advisor::estimate {
namespace {

using ops::Operation;
using ops::OpKind;
using units::DataType;

/// Requests that a server runs at once where the user asks for "max" and memory would allow more.
std::int64_t most_sequences(const workload::Workload& work) {
  constexpr std::int64_t kServer = 256;   // vLLM engine arguments: max_num_seqs
  constexpr std::int64_t kEngine = 2048;  // TensorRT-LLM build: max_batch_size
  // llama-server: one slot unless -np says more; exllama and mlx-lm generate for one request.
  const std::string_view family = software_family(work);
  if (family == "llama.cpp" || family == "exllama" || family == "mlx")
    return 1;
  return family == "trt-llm" ? kEngine : kServer;
}

/// One model replica: the GPUs that work on one request.
struct Replica {
  const Question& question;
  Roofline prefill, decode;
  double sequences = 1;  // at once, on this replica
};

/// Offline engines of TensorRT are built for the card's 8-bit type where nobody names another.
bool builds_eight_bit(const workload::Workload& work) {
  return work.concurrency_max && !work.quant_given && software_family(work) == "trt-llm";
}

DataType product_type(const workload::Workload& work) {
  if (builds_eight_bit(work))
    return DataType::fp8;
  if (!work.quant.weight_only)
    return work.quant.compute;
  return DataType::fp16;
}

double shards_of(const Question& question, const Operation& op) {
  double shards = op.sharding.tensor || op.sharding.expert ? question.layout.tp : 1;
  if (op.sharding.expert)
    shards = std::max<double>(shards, question.layout.ep);
  return shards;
}

/// Share of an operation's copies (experts) that `tokens` tokens touch together, each choosing at
/// random.
double touched(const Operation& op, double tokens) {
  if (op.used_share >= 1)
    return 1;
  return 1 - std::pow(1 - op.used_share, tokens);
}

/// Seconds of the forward pass of `tokens` tokens at once, each looking at `context` tokens, over
/// all layers of the replica. A pipeline or layer split runs its stages one after the other.
double pass_seconds(const Question& question, const Roofline& roofline, double tokens,
                    double context, double heads_of_output) {
  const workload::Workload& work = question.workload;
  constexpr double kElement = 2;
  const double cache_bytes = units::bytes_per_element(work.kv_type);
  double seconds = 0;
  for (const Operation& op : question.ops.operations) {
    if (op.stack != 0)
      continue;
    const double shards = shards_of(question, op);
    double each = 0;
    if (op.out_features > 0 && op.in_features > 0 && op.flops_per_token > 0) {
      const double rows_in = op.kind == OpKind::head ? heads_of_output : tokens;
      const double weights = static_cast<double>(op.out_features * op.in_features * op.copies) *
                             quantised_bytes(question, op, work.quant) * touched(op, rows_in) /
                             shards;
      const double used = static_cast<double>(op.copies) * op.used_share;
      const double rows =
          op.kind == OpKind::expert ? std::max(1.0, rows_in * op.used_share) : rows_in;
      const double products = rows_in * used / rows;
      const double n = static_cast<double>(op.out_features) / (op.sharding.expert ? 1 : shards);
      const double k = static_cast<double>(op.in_features);
      const double moved = rows * (n + k) * kElement * products;
      const double compute =
          roofline.matmul(rows, n, k, 0) * products / (op.sharding.expert ? shards : 1);
      each += std::max(compute, roofline.stream(weights + moved));
    } else if (op.flops_per_token > 0 || op.state_elements > 0) {
      each += roofline.stream(op.state_elements * 4 * heads_of_output * 2 / shards,
                              op.flops_per_token * tokens / shards);
    } else {
      each += roofline.stream(op.moved_elements_per_token * tokens * kElement / shards);
    }
    if (op.flops_per_token_context > 0) {
      const double looked_at =
          op.window > 0 ? std::min<double>(context, static_cast<double>(op.window)) : context;
      constexpr double kFusedShare = 0.4;
      const double compute = op.flops_per_token_context * tokens * looked_at / shards /
                             (roofline.attention_rate() * kFusedShare);
      // A prompt's cache is read once; while decoding, each sequence reads its own.
      const double readers = heads_of_output;
      const double cache = op.cache_elements_per_token * cache_bytes * looked_at * readers / shards;
      each += std::max(compute, roofline.stream(cache));
    }
    seconds += (each + roofline.launch()) * op.layers;
  }
  return seconds;
}

/// All-reduces of tensor parallelism (two a layer) and hand-overs between stages.
double split_seconds(const Question& question, double tokens) {
  const workload::Layout& layout = question.layout;
  const model::Stack& stack = question.workload.model.main();
  const double bytes = tokens * static_cast<double>(stack.hidden) * 2;
  double seconds = 0;
  if (layout.tp > 1)
    seconds += 2.0 * stack.layer_count() *
               all_reduce(link_of_group(question.machine, layout.tp), layout.tp, bytes);
  if (layout.pp > 1) {
    const Link link = node_link(question.machine);
    seconds += (layout.pp - 1) * (bytes / link.bytes_per_s + link.latency);
  }
  return seconds;
}

/// Time in which the host prepares the kernels of one pass where no graph is replayed: eager
/// PyTorch needs most of a millisecond for the dozens of calls of one layer.
double host_seconds(const Question& question) {
  if (software_family(question.workload) != "transformers")
    return 0;
  constexpr double kLayerUs = 750;
  return question.workload.model.main().layer_count() *
         time_constant(question, "host_layer_us", Work::decode, DataType::fp16, kLayerUs) * 1e-6;
}

double overhead(const Question& question, Work work) {
  // Sampling, scheduling and the host's share of a step.
  constexpr double kStepOverheadUs = 300;
  return time_constant(question, "step_us", work, DataType::fp16, kStepOverheadUs) * 1e-6;
}

double prompt_seconds(const Replica& replica) {
  const workload::Workload& work = replica.question.workload;
  const double tokens = static_cast<double>(work.input_len);
  return (pass_seconds(replica.question, replica.prefill, tokens, tokens / 2, 1) +
          split_seconds(replica.question, tokens) + overhead(replica.question, Work::prefill));
}

double step_seconds(const Replica& replica) {
  const workload::Workload& work = replica.question.workload;
  const double context =
      static_cast<double>(work.input_len) + static_cast<double>(work.output_len) / 2;
  const double device = pass_seconds(replica.question, replica.decode, replica.sequences, context,
                                     replica.sequences) +
                        split_seconds(replica.question, replica.sequences) +
                        overhead(replica.question, Work::decode);
  return std::max(device, host_seconds(replica.question));
}

/// A pipeline with more sequences than stages keeps every stage busy; one sequence runs alone.
double pipeline_gain(const Replica& replica) {
  const workload::Workload& work = replica.question.workload;
  const bool interleaves =
      software_family(work) != "llama.cpp" && software_family(work) != "transformers";
  return interleaves ? std::min<double>(replica.question.layout.pp, replica.sequences) : 1;
}

std::int64_t concurrency_of(const Question& question, const Memory& memory) {
  const workload::Workload& work = question.workload;
  // llama.cpp runs at most 64 sequences (LLAMA_MAX_SEQ): what is above is the size of its batches.
  constexpr std::int64_t kMostSlots = 64;
  const bool batch_size = work.concurrency > kMostSlots && software_family(work) == "llama.cpp";
  if (!work.concurrency_max)
    return batch_size ? 1 : work.concurrency;
  const std::int64_t fits = largest_concurrency(question, amounts_of(question), memory.capacity);
  return std::clamp<std::int64_t>(fits, 1, most_sequences(work) * question.layout.dp);
}

InferenceSpeed aggregate_speed(const Question& question, std::int64_t concurrency) {
  InferenceSpeed speed;
  speed.concurrency = concurrency;
  const double batch = std::max(1.0, static_cast<double>(concurrency) / question.layout.gpus());
  const double seconds = aggregate_forward(question, batch) * passes_per_sample(question.workload);
  const TimeSpread spread = time_spread(question, Work::vision_inference);
  speed.basis = spread.basis;
  if (seconds > 0)
    speed.samples_s = around(batch * question.layout.gpus() / seconds, spread.log_spread);
  return speed;
}

/// Tokens of one sample in one pass: of text as given; of an image one for each patch, 16 pixels
/// wide (vision transformers) or 2 latents of 8 pixels (diffusion transformers), and the prompt
/// beside it.
double tokens_of_sample(const workload::Workload& work) {
  if (work.task == workload::Task::inference)
    return static_cast<double>(work.input_len);
  const bool diffuses = work.task == workload::Task::diffusion_inference;
  constexpr int kPatch = 16, kPrompt = 512, kPhoto = 224, kPicture = 1024;
  const int pixels = work.resolution.value_or(diffuses ? kPicture : kPhoto);
  const double side = std::floor(static_cast<double>(pixels) / kPatch);
  return side * side + (diffuses ? kPrompt : 1);
}

/// Encoders answer with one pass over the whole input: sequences per second.
InferenceSpeed encoder_speed(const Replica& replica, std::int64_t concurrency) {
  const Question& question = replica.question;
  const double length = tokens_of_sample(question.workload);
  const double seconds =
      (pass_seconds(question, replica.prefill, length * replica.sequences, length, 1) +
       overhead(question, Work::prefill)) *
      passes_per_sample(question.workload) * time_factor(question, Work::encode);
  const TimeSpread spread = time_spread(question, Work::encode);
  InferenceSpeed speed;
  speed.concurrency = concurrency;
  speed.basis = spread.basis;
  const double rate = replica.sequences * question.layout.dp / seconds;
  speed.samples_s = around(rate, spread.log_spread);
  speed.prefill_tok_s = around(rate * length, spread.log_spread);
  speed.requests_s = speed.samples_s;
  return speed;
}

InferenceSpeed language_speed(const Replica& replica, std::int64_t concurrency) {
  const Question& question = replica.question;
  const workload::Workload& work = question.workload;
  const double plain_prompt = prompt_seconds(replica), plain_step = step_seconds(replica);
  const double prompt = plain_prompt * time_factor(question, Work::prefill);
  const double step = plain_step * time_factor(question, Work::decode);
  const double input = static_cast<double>(work.input_len),
               output = static_cast<double>(work.output_len);
  const TimeSpread prefill = time_spread(question, Work::prefill),
                   decode = time_spread(question, Work::decode),
                   serve = time_spread(question, Work::serve);
  InferenceSpeed speed;
  speed.concurrency = concurrency;
  speed.basis = decode.basis;
  const double replicas = question.layout.dp;
  speed.prefill_tok_s = around(input / prompt * replicas, prefill.log_spread);
  speed.decode_tok_s_per_request = around(1 / step, decode.log_spread);
  speed.tpot_ms = around(step * 1e3, decode.log_spread);
  // All requests of a closed loop start together: the mean waits for half of the others' prompts.
  // A server under steady load takes a prompt in beside a step of those that run.
  const double first =
      work.concurrency_max ? prompt + 2 * step : prompt * (replica.sequences + 1) / 2 + step;
  speed.ttft_ms = around(first * 1e3, prefill.log_spread);
  const bool alone = concurrency <= 1;
  // Serving has a factor of its own, fitted to whole rounds.
  const double round = alone ? prompt + output * step
                             : (replica.sequences * plain_prompt + output * plain_step) /
                                   pipeline_gain(replica) * time_factor(question, Work::serve);
  const double requests = replicas * replica.sequences / round;
  const double spread = alone ? decode.log_spread : serve.log_spread;
  speed.requests_s = around(requests, spread);
  speed.output_tok_s = around(requests * output, spread);
  speed.total_tok_s = around(requests * (input + output), spread);
  return speed;
}

}  // namespace

InferenceSpeed estimate_inference(const Question& question, const Memory& memory) {
  const workload::Workload& work = question.workload;
  const std::int64_t concurrency = concurrency_of(question, memory);
  if (work.model.main().layer_count() == 0)
    return aggregate_speed(question, concurrency);
  const double sequences = std::max(1.0, static_cast<double>(concurrency) / question.layout.dp);
  const Replica replica{question, Roofline(question, Work::prefill, product_type(work)),
                        Roofline(question, Work::decode, product_type(work)), sequences};
  if (!replica.decode.known()) {
    InferenceSpeed nothing;
    nothing.concurrency = concurrency;
    return nothing;
  }
  const bool encoder =
      work.model.arch == model::Arch::encoder || work.task != workload::Task::inference;
  return encoder ? encoder_speed(replica, concurrency) : language_speed(replica, concurrency);
}

}  // namespace gpu_advisor::estimate
