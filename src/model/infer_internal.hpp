#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpu_advisor/model/model_spec.hpp"

namespace gpu_advisor::model {

/// Depth and width of a model of `parameters` weights, as published families scale.
struct InferredShape {
  std::int64_t layers = 0;
  std::int64_t hidden = 0;
  std::int64_t vocab = 0;
  std::string reference;  // the model, or the two models, whose shape it follows
};
[[nodiscard]] InferredShape infer_shape(double parameters);

/// Half of the last digit that was given: 6.74e9 may mean anything from 6.735e9 to 6.745e9. At most
/// a twelfth of the number.
[[nodiscard]] double rounding_of(double given);

/// "7B", "6.74B": for sentences.
[[nodiscard]] std::string in_words(double parameters);

}  // namespace gpu_advisor::model
