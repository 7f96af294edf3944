#include "decoder_internal.hpp"

namespace gpu_advisor::model {

/// An architecture that the table does not know, with the usual keys: a plain transformer, which
/// the assumptions say.
void read_generic(const FamilyInput& input, ModelSpec& model) {
  if (input.config.has("kv_lora_rank")) {
    read_latent(input, model);
  } else if (input.config.has("linear_num_value_heads")) {
    read_gated_delta(input, model);
  } else {
    read_plain_decoder(input, model);
  }
  model.basis = ParameterBasis::inferred;
  model.assumptions.push_back("the architecture \"" + model.architecture_class +
                              "\" is not known; read as a plain transformer from its dimensions");
}

}  // namespace gpu_advisor::model
