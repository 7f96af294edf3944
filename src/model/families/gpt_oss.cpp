#include "decoder_internal.hpp"

namespace gpu_advisor::model {

/// GPT-OSS: biases everywhere, in every expert and the router; a learned sink per head.
void read_gpt_oss(const FamilyInput& input, ModelSpec& model) {
  Decoder decoder = read_decoder(input);
  decoder.layer.attention.sinks = true;
  decoder.layer.ffn.expert_bias = true;
  decoder.layer.ffn.router_bias = true;
  finish_decoder(decoder, input, model);
}

}  // namespace gpu_advisor::model
