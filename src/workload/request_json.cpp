#include "gpu_advisor/workload/request_json.hpp"

#include <cmath>
#include <span>

#include "gpu_advisor/support/json.hpp"
#include "gpu_advisor/support/text.hpp"
#include "gpu_advisor/workload/words.hpp"

namespace gpu_advisor::workload {
namespace {

using support::Error;
using support::ErrorCode;
using support::JsonCursor;
using support::Result;
using support::Status;

/// One key of one section of the workload object: how it is read into the request.
struct Field {
  std::string_view key;
  Status (*read)(const JsonCursor& value, Request& request);
};

Status read_positive(const JsonCursor& value, std::optional<double>& out) {
  GPU_ADVISOR_TRY(const double number, value.number());
  if (!(number > 0))
    return value.fail(ErrorCode::out_of_range, "expected a number above zero");
  out = number;
  return support::ok();
}

template <typename Integer>
Status read_count(const JsonCursor& value, std::optional<Integer>& out, std::int64_t least = 1) {
  GPU_ADVISOR_TRY(const std::int64_t number, value.integer());
  constexpr std::int64_t kMost = 2'000'000'000;
  if (number < least || number > kMost)
    return value.fail(ErrorCode::out_of_range, "expected a whole number from " +
                                                   std::to_string(least) + " to 2 000 000 000");
  out = static_cast<Integer>(number);
  return support::ok();
}

template <typename Text>
Status read_text(const JsonCursor& value, Text& out) {
  GPU_ADVISOR_TRY(out, value.text());
  return support::ok();
}

/// A word of a closed list, kept as its enum.
template <typename Word>
Status read_word(const JsonCursor& value, std::optional<Word>& out) {
  GPU_ADVISOR_TRY(const std::string text, value.text());
  auto parsed = parse_word<Word>(text);
  if (!parsed)
    return value.fail(ErrorCode::out_of_range, parsed.error().message, parsed.error().hint);
  out = *parsed;
  return support::ok();
}

Status read_precision(const JsonCursor& value, Request& request) {
  GPU_ADVISOR_TRY(request.precision_text, value.text());
  const auto parsed = parse_word<Precision>(request.precision_text);
  if (parsed)
    request.precision = *parsed;
  return support::ok();
}

Status read_concurrency(const JsonCursor& value, Request& request) {
  if (value.json().is_string()) {
    GPU_ADVISOR_TRY(const std::string text, value.text());
    if (text != "max")
      return value.fail(ErrorCode::out_of_range, "expected a number or \"max\"");
    request.concurrency_max = true;
    return support::ok();
  }
  return read_count(value, request.concurrency);
}

/// A resolution is a number; pipelines that write "49x480x720" give the side of the same area.
Status read_resolution(const JsonCursor& value, Request& request) {
  return read_count(value, request.resolution);
}

#define FIELD_COUNT(key, member)                                                 \
  Field {                                                                        \
    key, [](const JsonCursor& v, Request& r) { return read_count(v, r.member); } \
  }
#define FIELD_ZERO(key, member)                                                     \
  Field {                                                                           \
    key, [](const JsonCursor& v, Request& r) { return read_count(v, r.member, 0); } \
  }
#define FIELD_NUMBER(key, member)                                                   \
  Field {                                                                           \
    key, [](const JsonCursor& v, Request& r) { return read_positive(v, r.member); } \
  }
#define FIELD_TEXT(key, member)                                                 \
  Field {                                                                       \
    key, [](const JsonCursor& v, Request& r) { return read_text(v, r.member); } \
  }
#define FIELD_WORD(key, member)                                                 \
  Field {                                                                       \
    key, [](const JsonCursor& v, Request& r) { return read_word(v, r.member); } \
  }

constexpr Field kModel[] = {
    FIELD_TEXT("name", model_name),
    FIELD_WORD("arch", dimensions.arch),
    FIELD_NUMBER("params", dimensions.parameters),
    FIELD_NUMBER("active_params", dimensions.active_parameters),
    FIELD_COUNT("layers", dimensions.layers),
    FIELD_COUNT("hidden", dimensions.hidden),
    FIELD_COUNT("heads", dimensions.heads),
    FIELD_COUNT("kv_heads", dimensions.kv_heads),
    FIELD_COUNT("head_dim", dimensions.head_dim),
    FIELD_COUNT("ffn_hidden", dimensions.ffn_hidden),
    FIELD_COUNT("vocab", dimensions.vocab),
    FIELD_ZERO("experts", dimensions.experts),
    FIELD_ZERO("top_k", dimensions.top_k),
    FIELD_NUMBER("gmacs", dimensions.gmacs),
    FIELD_NUMBER("activations_m", dimensions.activations_m),
    FIELD_TEXT("config", model_config),
};

constexpr Field kTraining[] = {
    FIELD_WORD("method", method),
    FIELD_COUNT("micro_batch", micro_batch),
    FIELD_COUNT("grad_accum", grad_accum),
    FIELD_COUNT("global_batch", global_batch),
    FIELD_COUNT("seq_len", seq_len),
    Field{"resolution", read_resolution},
    Field{"precision", read_precision},
    FIELD_TEXT("base_quant", base_quant),
    FIELD_TEXT("optimizer", optimizer),
    FIELD_WORD("activation_checkpointing", checkpointing),
    Field{"flash_attention",
          [](const JsonCursor& v, Request& r) -> Status {
            GPU_ADVISOR_TRY(r.flash_attention, v.boolean());
            return support::ok();
          }},
    FIELD_ZERO("zero_stage", zero_stage),
    FIELD_COUNT("lora_rank", lora_rank),
    FIELD_TEXT("framework", framework),
    FIELD_NUMBER("tokens", tokens),
    FIELD_NUMBER("samples", samples),
    FIELD_NUMBER("epochs", epochs),
};

constexpr Field kInference[] = {
    FIELD_TEXT("engine", engine),
    FIELD_TEXT("quant", quant),
    FIELD_TEXT("kv_dtype", kv_dtype),
    Field{"concurrency", read_concurrency},
    FIELD_ZERO("input_len", input_len),
    FIELD_ZERO("output_len", output_len),
    FIELD_ZERO("context", context),
    Field{"resolution", read_resolution},
    Field{"precision", read_precision},
    FIELD_NUMBER("qps", qps),
    FIELD_NUMBER("ttft_ms", ttft_ms),
    FIELD_NUMBER("tpot_ms", tpot_ms),
    FIELD_NUMBER("min_tokens_per_s", min_tokens_per_s),
};

constexpr Field kHardware[] = {
    FIELD_TEXT("gpu", gpu),         FIELD_COUNT("count", count),
    FIELD_COUNT("nodes", nodes),    FIELD_TEXT("interconnect", interconnect),
    FIELD_TEXT("network", network), FIELD_NUMBER("network_gbps", network_gbps),
};

constexpr Field kParallel[] = {
    FIELD_COUNT("tp", tp), FIELD_COUNT("pp", pp), FIELD_COUNT("dp", dp),
    FIELD_COUNT("cp", cp), FIELD_COUNT("ep", ep),
};

struct Section {
  std::string_view key;
  std::span<const Field> fields;
};
constexpr Section kSections[] = {{"model", kModel},
                                 {"training", kTraining},
                                 {"inference", kInference},
                                 {"hardware", kHardware},
                                 {"parallel", kParallel}};

Status read_section(const JsonCursor& object, std::span<const Field> fields, Request& request) {
  std::vector<std::string> keys;
  for (const Field& field : fields)
    keys.emplace_back(field.key);
  GPU_ADVISOR_CHECKED(object.only(keys));
  for (const Field& field : fields) {
    if (!object.has(field.key))
      continue;
    GPU_ADVISOR_TRY(const JsonCursor value, object.at(field.key));
    GPU_ADVISOR_CHECKED(field.read(value, request));
  }
  return support::ok();
}

Status read_request(const JsonCursor& object, Request& request) {
  GPU_ADVISOR_CHECKED(
      object.only({"id", "model", "task", "training", "inference", "hardware", "parallel"}));
  if (object.has("task")) {
    GPU_ADVISOR_TRY(const JsonCursor task, object.at("task"));
    GPU_ADVISOR_CHECKED(read_word(task, request.task));
  }
  for (const Section& section : kSections) {
    if (!object.has(section.key))
      continue;
    GPU_ADVISOR_TRY(const JsonCursor value, object.at(section.key));
    GPU_ADVISOR_CHECKED(read_section(value, section.fields, request));
  }
  return support::ok();
}

}  // namespace

Result<Request> parse_request(std::string_view json, std::string_view file) {
  GPU_ADVISOR_TRY(const support::Json value, support::parse_json(json, file));
  const JsonCursor object(value, std::string(file));
  Request request;
  if (object.has("id")) {
    const support::Json& id = value["id"];
    request.id = id.is_string() ? id.get<std::string>() : id.dump();
  }
  if (Status status = read_request(object, request); !status) {
    Error error = std::move(status).error();
    if (!request.id.empty())
      error.context.insert(error.context.begin(), "id: " + request.id);
    return error;
  }
  return request;
}

}  // namespace gpu_advisor::workload
