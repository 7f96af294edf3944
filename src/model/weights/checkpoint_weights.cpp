#include <algorithm>
#include <array>
#include <unordered_map>

#include "checkpoint_weights_internal.hpp"

namespace gpu_advisor::model {
namespace {

using ByName = std::unordered_map<std::string_view, const Tensor*>;

/// Last words of tensors that serve a packed weight (GPTQ, AWQ, bitsandbytes, compressed-tensors,
/// fp8 and mx checkpoints).
constexpr std::array<std::string_view, 20> kServing{".qzeros",
                                                    ".scales",
                                                    ".g_idx",
                                                    ".weight_scale",
                                                    ".weight_scale_inv",
                                                    ".input_scale",
                                                    ".weight_scale_2",
                                                    ".absmax",
                                                    ".quant_map",
                                                    ".nested_absmax",
                                                    ".SCB",
                                                    ".weight_format",
                                                    ".nested_quant_map",
                                                    ".weight_zero_point",
                                                    ".weight_shape",
                                                    "_scales",
                                                    ".k_scale",
                                                    ".v_scale",
                                                    ".weight_g_idx",
                                                    "_scale_inv"};

bool serves_another(std::string_view name) {
  return name.find(".quant_state") != std::string_view::npos ||
         std::ranges::any_of(kServing,
                             [name](std::string_view end) { return name.ends_with(end); });
}

std::string sibling(std::string_view name, std::string_view from, std::string_view to) {
  return std::string(name.substr(0, name.size() - from.size())) + std::string(to);
}

const Tensor* find(const ByName& tensors, const std::string& name) {
  const auto found = tensors.find(name);
  return found == tensors.end() ? nullptr : found->second;
}

/// A packed tensor at its unpacked size.
struct Unpacked {
  std::int64_t rows = 0, cols = 1, copies = 1;
  std::string_view method;
  int bits = 0;
};

constexpr std::int64_t kWord = 32;  // bits of an element of GPTQ and AWQ tensors

/// GPTQ packs along the input, AWQ along the output; `scales` has one column per output. The width
/// follows from the zero points, which are packed along the output.
std::optional<Unpacked> unpack_qweight(const Tensor& tensor, const ByName& tensors) {
  const Tensor* scales = find(tensors, sibling(tensor.name, "qweight", "scales"));
  const Tensor* zeros = find(tensors, sibling(tensor.name, "qweight", "qzeros"));
  if (scales == nullptr || tensor.shape.size() != 2 || scales->shape.size() != 2)
    return std::nullopt;
  const std::int64_t out = scales->shape[1];
  const bool along_input = tensor.shape[1] == out;
  const Tensor* packed_out = along_input ? zeros : &tensor;
  if (out <= 0 || packed_out == nullptr || packed_out->shape.size() != 2)
    return std::nullopt;
  const std::int64_t bits = packed_out->shape[1] * kWord / out;
  if (bits < 1 || bits > 8)
    return std::nullopt;
  const std::int64_t in = along_input ? tensor.shape[0] * kWord / bits : tensor.shape[0];
  return Unpacked{out, in, 1, along_input ? "gptq" : "awq", static_cast<int>(bits)};
}

/// Two 4-bit numbers in each byte.
Unpacked unpack_nibbles(const Tensor& tensor, std::string_view method) {
  Unpacked result{.method = method, .bits = 4};
  const std::size_t n = tensor.shape.size();
  if (n >= 3 && method == "mxfp4") {  // experts x out x blocks x 16 bytes
    result.copies = n == 4 ? tensor.shape[0] : 1;
    result.rows = tensor.shape[n - 3];
    result.cols = tensor.shape[n - 2] * tensor.shape[n - 1] * 2;
  } else if (n == 2 && tensor.shape[1] > 1) {
    result.rows = tensor.shape[0];
    result.cols = tensor.shape[1] * 2;
  } else {
    result.rows = tensor.elements * 2;
  }
  return result;
}

/// compressed-tensors: 32-bit words along the input; the width stands in the config alone.
std::optional<Unpacked> unpack_words(const Tensor& tensor, const ByName& tensors) {
  constexpr int kUsualBits = 4;
  const std::string_view name = tensor.name;
  if (tensor.shape.size() != 2)
    return std::nullopt;
  if (tensor.type == "U8")
    return unpack_nibbles(tensor, "nvfp4");
  const Tensor* scale = find(tensors, sibling(name, "weight_packed", "weight_scale"));
  Unpacked result{.rows = tensor.shape[0], .method = "compressed-tensors", .bits = kUsualBits};
  // Groups of 32, 64 or 128 inputs are in use: 4 bits unless 8 give such a group.
  if (scale != nullptr && scale->shape.size() == 2 && scale->shape[1] > 1 &&
      tensor.shape[1] * (kWord / kUsualBits) / scale->shape[1] > 128)
    result.bits = 8;
  result.cols = tensor.shape[1] * (kWord / result.bits);
  return result;
}

std::optional<Unpacked> unpack_any(const Tensor& tensor, const ByName& tensors) {
  const std::string_view name = tensor.name;
  if (name.ends_with(".qweight"))
    return unpack_qweight(tensor, tensors);
  if (name.ends_with("_blocks") && tensor.type == "U8")
    return unpack_nibbles(tensor, "mxfp4");
  if (name.ends_with(".weight_packed"))
    return unpack_words(tensor, tensors);
  if (!name.ends_with(".weight"))
    return std::nullopt;
  if (tensor.type == "U8" && find(tensors, std::string(name) + ".absmax") != nullptr)
    return unpack_nibbles(tensor, "bitsandbytes");
  if (tensor.type == "U8" && find(tensors, std::string(name) + "_scale") != nullptr)
    return unpack_nibbles(tensor, "nvfp4");
  return std::nullopt;
}

/// Empty for tensors that are not packed, and for sizes that no packing gives.
std::optional<Unpacked> unpack(const Tensor& tensor, const ByName& tensors) {
  const auto unpacked = unpack_any(tensor, tensors);
  if (!unpacked)
    return std::nullopt;
  const auto elements = element_count({unpacked->copies, unpacked->rows, unpacked->cols});
  return elements && *elements <= tensor.elements * kWord ? unpacked : std::nullopt;
}

Weight plain(const Tensor& tensor, const Place& place) {
  Weight weight{.role = place.role};
  const std::size_t n = tensor.shape.size();
  const bool experts = place.role == Role::expert_gate || place.role == Role::expert_up ||
                       place.role == Role::expert_down;
  weight.rows = n == 0 ? 1 : tensor.shape[0];
  if (experts && n == 3) {  // joined experts
    weight.copies = tensor.shape[0];
    weight.rows = tensor.shape[1];
    weight.cols = tensor.shape[2];
  } else {
    for (std::size_t i = 1; i < n; ++i)
      weight.cols *= tensor.shape[i];
  }
  return weight;
}

/// GPT-2 keeps its matrices in x out (transformers, pytorch_utils.Conv1D).
void turn_conv1d(std::vector<PlacedWeight>& weights, const std::vector<std::string_view>& names) {
  const auto is_conv = [&names](std::size_t i) {
    return names[i].find(".c_attn.") != std::string_view::npos ||
           names[i].find(".c_fc.") != std::string_view::npos ||
           names[i].find(".c_proj.") != std::string_view::npos;
  };
  bool turned = false;
  for (std::size_t i = 0; i < weights.size() && !turned; ++i)
    turned = weights[i].weight.role == Role::fused_qkv && is_conv(i) &&
             weights[i].weight.cols == 3 * weights[i].weight.rows;
  for (std::size_t i = 0; turned && i < weights.size(); ++i)
    if (is_conv(i) && weights[i].weight.cols > 1)
      std::swap(weights[i].weight.rows, weights[i].weight.cols);
}

}  // namespace

bool is_adapter_name(std::string_view tensor) {
  constexpr std::array<std::string_view, 8> kMarks{
      ".lora_A",     ".lora_B",   "lora_down.",      "lora_up.",
      ".lora.down.", ".lora.up.", "lora_embedding_", ".lora_magnitude"};
  return std::ranges::any_of(kMarks, [tensor](std::string_view mark) {
    return tensor.find(mark) != std::string_view::npos;
  });
}

bool is_buffer_name(std::string_view tensor) {
  constexpr std::array<std::string_view, 5> kEndings{"rotary_emb.inv_freq", ".masked_bias",
                                                     ".attention.bias", ".attn.bias",
                                                     "embeddings.position_ids"};
  return std::ranges::any_of(kEndings,
                             [tensor](std::string_view end) { return tensor.ends_with(end); });
}

CheckpointWeights checkpoint_weights(const std::vector<Tensor>& tensors) {
  CheckpointWeights result;
  ByName by_name;
  for (const Tensor& tensor : tensors)
    by_name.emplace(tensor.name, &tensor);
  std::vector<std::string_view> names;
  for (const Tensor& tensor : tensors) {
    // A buffer named "attn.bias" is a mask of four dimensions; a bias is a vector.
    if (tensor.elements == 0 || serves_another(tensor.name) ||
        (is_buffer_name(tensor.name) &&
         (tensor.shape.size() != 1 || tensor.type == "I64" || tensor.name.ends_with("inv_freq"))))
      continue;
    Place place = place_of_checkpoint_name(tensor.name);
    Weight weight = plain(tensor, place);
    const auto unpacked = unpack(tensor, by_name);
    if (unpacked) {
      weight.rows = unpacked->rows;
      weight.cols = unpacked->cols;
      weight.copies = unpacked->copies;
      result.method = unpacked->method;
      result.bits = unpacked->bits;
    } else if (result.method.empty() && tensor.type.starts_with("F8_E") && weight.cols > 1) {
      result.method = "fp8";
      result.bits = 8;
    }
    names.push_back(tensor.name);
    result.weights.push_back({std::move(place), weight});
  }
  turn_conv1d(result.weights, names);
  return result;
}

}  // namespace gpu_advisor::model
