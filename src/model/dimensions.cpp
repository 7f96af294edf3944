#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "gpu_advisor/model/reader.hpp"
#include "infer_internal.hpp"
#include "structure_internal.hpp"

namespace gpu_advisor::model {
namespace {

using support::Error;
using support::ErrorCode;
using support::Result;
using support::Status;

constexpr std::int64_t kDefaultVocab = 32000;  // Llama and Llama 2 (arXiv 2302.13971, section 2.1)
constexpr std::int64_t kEncoderVocab = 30522;  // BERT (arXiv 1810.04805, section 3)
constexpr std::int64_t kEncoderPositions = 512;  // the same
constexpr std::int64_t kUsualKvHeads = 8;        // Llama 3, Mistral, Qwen 2.5 and many others

constexpr double kMostParameters = 1e15;

/// Dimensions with every gap closed, and what stays open.
struct Filled {
  std::int64_t layers = 0, hidden = 0, heads = 0, kv_heads = 0, head_dim = 0, ffn = 0, vocab = 0;
  std::int64_t experts = 0, top_k = 0, positions = 0;
  bool gated = true, tied = false, biased = false, causal = true;
  bool kv_known = false, ffn_known = false;
};

/// What about the structure is open and chosen so that the count fits best.
struct Choice {
  bool gated, tied;
};
// In order of preference among equals: most published decoders are gated with an untied head.
constexpr std::array kChoices{Choice{true, false}, Choice{true, true}, Choice{false, false},
                              Choice{false, true}};

LayerShape layer_of(const Filled& f) {
  LayerShape layer;
  layer.name = f.experts > 0 ? "moe" : "dense";
  AttentionShape& attention = layer.attention;
  attention.heads = f.heads;
  attention.kv_heads = f.kv_heads;
  attention.key_dim = attention.value_dim = f.head_dim;
  attention.query_bias = attention.key_bias = attention.value_bias = attention.output_bias =
      f.biased;
  attention.causal = attention.cached = f.causal;
  layer.ffn.gated = f.gated;
  layer.ffn.bias = f.biased;
  if (f.experts > 0) {
    layer.ffn.experts = f.experts;
    layer.ffn.top_k = f.top_k;
    layer.ffn.expert_hidden = f.ffn;
  } else {
    layer.ffn.hidden = f.ffn;
  }
  layer.norm_bias = f.biased;
  return layer;
}

Stack stack_of(const Filled& f) {
  Stack stack;
  stack.role = f.causal ? StackRole::decoder : StackRole::encoder;
  stack.name = f.causal ? "language model" : "encoder";
  stack.hidden = f.hidden;
  stack.vocab = f.vocab;
  stack.tied_embeddings = f.tied;
  stack.layers = {make_group(layer_of(f), f.hidden, static_cast<int>(f.layers))};
  stack.outside = make_surroundings({.vocab = f.vocab,
                                     .positions = f.positions,
                                     .norm_bias = f.biased,
                                     .head = f.causal,
                                     .tied = f.tied},
                                    f.hidden);
  return stack;
}

double matrices_per_ffn(const Filled& f) {
  return (f.gated ? 3.0 : 2.0) * static_cast<double>(std::max<std::int64_t>(f.experts, 1));
}

/// Closed form of what stack_of counts, small vectors left out: for choosing, not for answering.
double matrix_count(const Filled& f) {
  const auto h = static_cast<double>(f.hidden);
  const double attention =
      2 * h * static_cast<double>(f.head_dim) * static_cast<double>(f.heads + f.kv_heads);
  const double ffn = matrices_per_ffn(f) * h * static_cast<double>(f.ffn);
  const double embeddings = h * static_cast<double>(f.vocab) * (f.tied || !f.causal ? 1 : 2);
  return embeddings + static_cast<double>(f.layers) * (attention + ffn);
}

/// The feed-forward width that makes the count come out, rounded down to full tiles; the
/// usual ratio where the count leaves no sensible width.
std::int64_t solve_ffn(Filled f, double parameters) {
  f.ffn = 0;
  const double per_unit =
      matrices_per_ffn(f) * static_cast<double>(f.hidden) * static_cast<double>(f.layers);
  const double width = (parameters - matrix_count(f)) / per_unit;
  const auto h = static_cast<double>(f.hidden);
  const double least = f.experts > 0 ? 16 : h / 4;
  if (width < least || width > 16 * h) {
    return 0;
  }
  // Full tiles where they are small beside the width, so that little is left over.
  const double step = width >= 4096 ? 64 : width >= 512 ? 8 : 1;
  return static_cast<std::int64_t>(std::floor(width / step) * step);
}

/// 4 x hidden of classic blocks (Vaswani et al. 2017); 8/3 x hidden in multiples of 256 of gated
/// ones (arXiv 2302.13971, section 2.2).
std::int64_t usual_ffn(const Filled& f) {
  if (!f.gated) {
    return 4 * f.hidden;
  }
  constexpr std::int64_t kTile = 256;
  return (8 * f.hidden / 3 + kTile - 1) / kTile * kTile;
}

Status check(const Dimensions& d) {
  struct Bound {
    std::string_view name;
    std::optional<double> value;
    double most;
  };
  const auto number = [](const std::optional<std::int64_t>& v) -> std::optional<double> {
    return v ? std::optional<double>(static_cast<double>(*v)) : std::nullopt;
  };
  const std::array bounds{
      Bound{"params", d.parameters, 1e15},
      Bound{"active_params", d.active_parameters, 1e15},
      Bound{"layers", number(d.layers), 1e4},
      Bound{"hidden", number(d.hidden), 1e6},
      Bound{"heads", number(d.heads), 1e5},
      Bound{"kv_heads", number(d.kv_heads), 1e5},
      Bound{"head_dim", number(d.head_dim), 1e5},
      Bound{"ffn_hidden", number(d.ffn_hidden), 1e7},
      Bound{"vocab", number(d.vocab), 1e8},
      Bound{"experts", number(d.experts), 1e5},
      Bound{"top_k", number(d.top_k), 1e5},
      Bound{"gmacs", d.gmacs, 1e9},
      Bound{"activations_m", d.activations_m, 1e9},
  };
  for (const Bound& bound : bounds) {
    if (bound.value && !(*bound.value > 0 && *bound.value <= bound.most)) {
      return Error{.code = ErrorCode::out_of_range,
                   .message = fmt::format("{} is {}, expected more than 0 and at most {}",
                                          bound.name, *bound.value, bound.most),
                   .location = {.pointer = fmt::format("/model/{}", bound.name)}};
    }
  }
  return support::ok();
}

/// Heads of 128 where that divides a wide model, else of 64.
std::int64_t usual_heads(std::int64_t hidden) {
  if (hidden >= 2048 && hidden % 128 == 0) {
    return hidden / 128;
  }
  return std::max<std::int64_t>(1, hidden / 64);
}

class Builder {
 public:
  explicit Builder(const Dimensions& dimensions) : d_(dimensions) {}

  Result<ModelSpec> build() {
    fill_plain();
    if (moe_) {
      fill_experts();
    }
    choose();
    if (matrix_count(f_) > kMostParameters) {
      return Error{.code = ErrorCode::out_of_range,
                   .message = "these dimensions give more than 10^15 parameters"};
    }
    ModelSpec spec = describe();
    book_difference(spec);
    return spec;
  }

 private:
  void say(std::string text) { assumptions_.push_back(std::move(text)); }

  void fill_plain() {
    const bool encoder = d_.arch == Arch::encoder;
    moe_ = d_.arch == Arch::moe || d_.experts.value_or(0) > 1 ||
           (d_.parameters && d_.active_parameters && *d_.active_parameters < 0.8 * *d_.parameters);
    f_.causal = !encoder;
    inferred_ = !d_.layers || !d_.hidden;
    const InferredShape shape = inferred_ ? infer_shape(size_for_shape()) : InferredShape{};
    f_.layers = d_.layers.value_or(shape.layers);
    f_.hidden = d_.hidden.value_or(shape.hidden);
    f_.vocab = d_.vocab.value_or(encoder ? kEncoderVocab : inferred_ ? shape.vocab : kDefaultVocab);
    f_.positions = encoder ? kEncoderPositions : 0;
    if (inferred_) {
      say(fmt::format("dimensions inferred from the size as in {}: {} layers of width {}",
                      shape.reference, f_.layers, f_.hidden));
    }
    if (!d_.vocab) {
      say(fmt::format("vocabulary of {} tokens assumed", f_.vocab));
    }
    fill_heads();
  }

  /// A mixture of experts is as deep and wide as a dense model between its two counts.
  [[nodiscard]] double size_for_shape() const {
    const double total = d_.parameters.value_or(1e9);
    return moe_ && d_.active_parameters ? std::sqrt(total * *d_.active_parameters) : total;
  }

  void fill_heads() {
    f_.heads = d_.heads.value_or(d_.head_dim ? std::max<std::int64_t>(1, f_.hidden / *d_.head_dim)
                                             : usual_heads(f_.hidden));
    f_.head_dim = d_.head_dim.value_or(std::max<std::int64_t>(1, f_.hidden / f_.heads));
    f_.kv_known = d_.kv_heads.has_value() || !f_.causal;
    const bool grouped = inferred_ && f_.causal && f_.heads > kUsualKvHeads;
    f_.kv_heads = d_.kv_heads.value_or(grouped ? kUsualKvHeads : f_.heads);
    if (!d_.heads) {
      say(fmt::format("{} attention heads of {} assumed", f_.heads, f_.head_dim));
    }
    if (!f_.kv_known) {
      say(fmt::format("{} KV heads assumed; the KV cache may be up to {} times {}", f_.kv_heads,
                      kv_uncertainty(), grouped ? "larger" : "smaller"));
    }
  }

  [[nodiscard]] double kv_uncertainty() const {
    const std::int64_t most = std::max<std::int64_t>(f_.heads / kUsualKvHeads, 1);
    return f_.kv_known ? 1.0 : static_cast<double>(most);
  }

  void fill_experts() {
    f_.experts = d_.experts.value_or(0);
    if (f_.experts > 1) {
      f_.top_k = std::min(f_.experts, d_.top_k.value_or(solved_top_k()));
      return;
    }
    constexpr std::int64_t kUsualExperts = 128;  // Qwen3, GPT-OSS, Llama 4
    f_.experts = kUsualExperts;
    f_.top_k = solved_top_k();
    say(fmt::format("{} experts assumed, {} of them for each token", f_.experts, f_.top_k));
  }

  /// The experts that a token must use for the stated active parameters.
  [[nodiscard]] std::int64_t solved_top_k() const {
    constexpr std::int64_t kUsualTopK = 2;
    if (!d_.parameters || !d_.active_parameters) {
      return kUsualTopK;
    }
    Filled bare = f_;
    bare.ffn = 0;
    const double dense = matrix_count(bare);
    const double share = (*d_.active_parameters - dense) / (*d_.parameters - dense);
    const double count = std::round(share * static_cast<double>(f_.experts));
    return static_cast<std::int64_t>(
        std::clamp(count, 1.0, static_cast<double>(std::max<std::int64_t>(f_.experts, 1))));
  }

  Filled candidate(const Choice& choice) const {
    Filled f = f_;
    f.gated = choice.gated;
    f.tied = choice.tied;
    f.biased = !choice.gated && f.experts == 0;
    f.ffn_known = d_.ffn_hidden.has_value();
    f.ffn = d_.ffn_hidden ? *d_.ffn_hidden : d_.parameters ? solve_ffn(f, *d_.parameters) : 0;
    if (f.ffn <= 0) {
      f.ffn = usual_ffn(f);
    }
    return f;
  }

  /// Whether a block with this width can be of this kind: classic blocks are mostly four times as
  /// wide as the model, gated ones any width; a given count decides.
  [[nodiscard]] bool plausible(const Choice& choice) const {
    const bool encoder = d_.arch == Arch::encoder;
    if (encoder) {
      return !choice.gated;
    }
    return choice.gated || !d_.ffn_hidden || d_.parameters || *d_.ffn_hidden == 4 * f_.hidden;
  }

  void choose() {
    std::optional<Filled> best;
    double best_miss = 0;
    for (const Choice& choice : kChoices) {
      if (!plausible(choice) || (inferred_ && !choice.gated && d_.arch != Arch::encoder)) {
        continue;
      }
      const Filled f = candidate(choice);
      const double miss =
          d_.parameters ? std::abs(matrix_count(f) - *d_.parameters) / *d_.parameters : 0;
      constexpr double kBetter = 0.004;  // what small vectors and rounding may hide
      if (!best || miss < best_miss - kBetter) {
        best = f;
        best_miss = miss;
      }
    }
    f_ = best.value_or(candidate(kChoices.front()));
    if (!f_.ffn_known) {
      say(fmt::format("feed-forward width {} {}", f_.ffn,
                      d_.parameters ? "follows from the parameter count" : "assumed"));
    }
  }

  ModelSpec describe() const {
    ModelSpec spec;
    spec.name = d_.name;
    spec.architecture_class = "generic transformer";
    spec.arch = moe_ ? Arch::moe : d_.arch.value_or(Arch::dense);
    spec.modality = spec.arch == Arch::encoder ? "encoder"
                    : spec.arch == Arch::asr   ? "audio"
                                               : "text";
    spec.source = inferred_ ? "parameters" : "dimensions";
    spec.basis = ParameterBasis::inferred;
    spec.stacks = {stack_of(f_)};
    spec.dimensions_inferred = inferred_;
    spec.kv_uncertainty = kv_uncertainty();
    spec.assumptions = assumptions_;
    if (d_.parameters) {
      spec.published_parameters = std::llround(*d_.parameters);
    }
    if (d_.active_parameters) {
      spec.published_active = std::llround(*d_.active_parameters);
    }
    return spec;
  }

  /// What the given count says beyond the structure is kept as weights of unknown use.
  void book_difference(ModelSpec& spec) const {
    if (!d_.parameters) {
      return;
    }
    const double difference = *d_.parameters - static_cast<double>(spec.parameters());
    const double allowed = inferred_ ? 0.5 : rounding_of(*d_.parameters);
    if (std::abs(difference) <= allowed) {
      return;
    }
    if (difference > 0) {
      spec.stacks.front().outside.push_back(
          {.role = Role::other, .rows = std::llround(difference)});
      constexpr double kWorthSaying = 0.005;
      if (difference > kWorthSaying * *d_.parameters) {
        spec.assumptions.push_back(fmt::format(
            "{} of the {} parameters are not explained by the dimensions; counted as other weights",
            in_words(difference), in_words(*d_.parameters)));
      }
    } else {
      spec.assumptions.push_back(fmt::format("the dimensions give {} parameters, not {}",
                                             in_words(static_cast<double>(spec.parameters())),
                                             in_words(*d_.parameters)));
    }
  }

  const Dimensions& d_;
  Filled f_;
  bool moe_ = false;
  bool inferred_ = false;
  std::vector<std::string> assumptions_;
};

ModelSpec aggregate_model(const Dimensions& d) {
  ModelSpec spec;
  spec.name = d.name;
  spec.arch = d.arch.value_or(Arch::cnn);
  spec.modality = spec.arch == Arch::diffusion ? "diffusion" : "vision";
  spec.source = "parameters";
  spec.basis = ParameterBasis::inferred;
  Stack stack;
  stack.role = spec.arch == Arch::diffusion ? StackRole::denoiser : StackRole::vision;
  stack.name = spec.arch == Arch::diffusion ? "denoiser" : "backbone";
  if (d.parameters) {
    stack.aggregate_parameters = std::llround(*d.parameters);
  } else {
    spec.assumptions.emplace_back("the parameter count is unknown and taken as 0");
  }
  stack.aggregate = Aggregate{.gmacs = d.gmacs,
                              .activations_m = d.activations_m,
                              .resolution = d.resolution,
                              .convolutional = spec.arch == Arch::cnn};
  constexpr int kLatentFactor = 8;  // Rombach et al. 2022, arXiv 2112.10752, section 4.1 (f = 8)
  if (spec.arch == Arch::diffusion) {
    stack.latent_factor = kLatentFactor;
    spec.assumptions.emplace_back("latents of an eighth of the image's side assumed");
  }
  spec.stacks = {std::move(stack)};
  return spec;
}

bool is_image_model(const Dimensions& d) {
  return d.gmacs || d.arch == Arch::cnn || d.arch == Arch::vit || d.arch == Arch::diffusion;
}

}  // namespace

Result<ModelSpec> from_dimensions(const Dimensions& dimensions) {
  GPU_ADVISOR_CHECKED(check(dimensions));
  if (is_image_model(dimensions)) {
    if (dimensions.parameters || dimensions.gmacs) {
      return aggregate_model(dimensions);
    }
  }
  if (!dimensions.parameters && !(dimensions.layers && dimensions.hidden)) {
    return Error{.code = ErrorCode::missing_key,
                 .message = "nothing fixes the size of the model",
                 .hint = "give params, or layers and hidden"};
  }
  return Builder(dimensions).build();
}

}  // namespace gpu_advisor::model
