#include <algorithm>
#include <fmt/format.h>

#include "memory_inference_internal.hpp"
#include "memory_training_internal.hpp"

namespace gpu_advisor::estimate {
namespace {

using workload::Checkpointing;
using workload::Task;

/// Collects terms; parts that are nothing are left out.
class Terms {
 public:
  void add(std::string name, Bytes value, std::string formula, std::string_view source) {
    if (value > units::bytes(0)) {
      terms_.push_back({.name = std::move(name),
                        .value = value / units::gib(1),
                        .unit = "GiB",
                        .formula = std::move(formula),
                        .source = std::string(source)});
    }
  }
  [[nodiscard]] std::vector<Term> take() { return std::move(terms_); }

 private:
  std::vector<Term> terms_;
};

std::string billions(double count) {
  return fmt::format("{:.4g}e9", count / 1e9);
}

std::string degrees(const workload::Layout& layout) {
  return fmt::format("tp {} pp {} dp {} cp {} ep {}, ZeRO {}", layout.tp, layout.pp, layout.dp,
                     layout.cp, layout.ep, layout.zero_stage);
}

std::string_view checkpointing_source(Checkpointing mode) {
  return mode == Checkpointing::full ? "Chen et al. 2016 (arXiv 1604.06174): inputs of each layer"
                                     : "Korthikanti et al. 2022 (arXiv 2205.05198), section 4.1";
}

void add_states(Terms& terms, const Question& question, const Regime& regime,
                const StateBytes& states, const Memory::Parts& parts) {
  const std::string parameters = billions(static_cast<double>(question.ops.parameters()));
  const std::string layout = degrees(question.layout);
  if (regime.adapters) {
    const std::string base = question.workload.base_quant
                                 ? std::string(question.workload.base_quant->name)
                                 : fmt::format("{} bytes each", regime.frozen_other);
    terms.add("weights", parts.weights,
              fmt::format("{} frozen parameters as {} + {} adapter parameters x {} bytes; {}",
                          parameters, base, billions(states.trained), regime.weight, layout),
              "Hu et al. 2021 (LoRA); Dettmers et al. 2023 (QLoRA)");
  } else {
    terms.add("weights", parts.weights,
              fmt::format("{} parameters x {} bytes{}; {}", parameters, regime.weight,
                          regime.autocast_copy > 0 ? " + 2 bytes of autocast copies" : "", layout),
              regime.framework.source);
  }
  const std::string trained = billions(states.trained);
  terms.add("gradients", parts.gradients,
            fmt::format("{} trained x {} bytes; {}", trained, regime.gradient, layout),
            regime.framework.source);
  terms.add("optimizer", parts.optimizer,
            fmt::format("{} trained x ({} moments x {} + {} quantised + {} master bytes); {}",
                        trained, regime.optimizer.moments, regime.moment,
                        regime.optimizer.fixed_bytes, regime.master, layout),
            regime.optimizer.source);
}

std::vector<Term> explain_training(const Question& question) {
  const Regime regime = regime_of(question);
  const StateBytes states = state_bytes(question, regime);
  const Memory::Parts parts = need_of(question, amounts_of(question)).parts;
  const workload::Layout& layout = question.layout;
  const workload::Workload& work = question.workload;
  Terms terms;
  add_states(terms, question, regime, states, parts);
  const Peak peak = training_peak(question, regime, states,
                                  activation_bytes(question, regime, amounts_of(question)));
  if (peak.moment == Moment::step) {
    terms.add("activations", parts.activations,
              "the peak is the optimizer step: its copies of a moment or of the gradients",
              regime.framework.source);
  } else {
    terms.add("activations", parts.activations,
              fmt::format("micro-batch {} x {} tokens, checkpointing {}, {} bytes an element, "
                          "{} bytes between layers, with the layer at work",
                          layout.micro_batch, work.seq_len, name(layout.checkpointing),
                          regime.activation, regime.residual),
              checkpointing_source(layout.checkpointing));
  }
  terms.add("logits", parts.logits,
            fmt::format("micro-batch {} x {} tokens x vocabulary {}, with what the loss copies",
                        layout.micro_batch, work.seq_len, work.model.main().vocab),
            "transformers ForCausalLMLoss: fp32 copy, log-softmax and gradient of the logits");
  terms.add("communication", parts.communication,
            "layers gathered from their shards, gradient buckets",
            "Zhao et al. 2023 (PyTorch FSDP, arXiv 2304.11277), section 4; DeepSpeed ZeRO buckets");
  terms.add("runtime", parts.runtime, "context of the driver, communicators",
            "vendor documentation; outside the allocator");
  terms.add("fragmentation", parts.fragmentation, "share of activations, logits and gradients",
            "data/calibration/memory.json, memory_fragmentation");
  return terms.take();
}

std::vector<Term> explain_inference(const Question& question) {
  const Memory::Parts parts = need_of(question, amounts_of(question)).parts;
  const workload::Workload& work = question.workload;
  const Engine engine = engine_named(work.engine);
  Terms terms;
  terms.add(
      "weights", parts.weights,
      fmt::format("{} parameters as {} ({:.3f} bits in matrices, {} elsewhere); {}",
                  billions(static_cast<double>(question.ops.parameters())), work.quant.name,
                  work.quant.bits_per_weight, work.quant.bits_others, degrees(question.layout)),
      work.model.stored ? "bytes of the weight file" : "block formats of the quantisation");
  terms.add(
      "kv_cache", parts.kv_cache,
      fmt::format("{} elements per token x {} bytes x {} tokens x {} requests; pages of {}",
                  work.model.cache_elements_per_token(), units::bytes_per_element(work.kv_type),
                  work.context, work.concurrency, engine.page),
      "two vectors per cached head, layer and token (windows and latent caches apart)");
  terms.add("activations", parts.activations,
            fmt::format("the widest step of a prefill of at most {} tokens", engine.chunk),
            engine.source);
  terms.add("logits", parts.logits,
            fmt::format("{} requests x vocabulary {} x 6 bytes", work.concurrency,
                        work.model.main().vocab),
            "16-bit logits and their fp32 copy at sampling");
  terms.add("runtime", parts.runtime, "context of the driver, communicators, captured graphs",
            "vendor documentation; outside the allocator");
  terms.add("fragmentation", parts.fragmentation, "blocks that a growing cache leaves behind",
            "data/calibration/memory.json, memory_cache_growth");
  return terms.take();
}

std::vector<Term> explain_vision(const Question& question) {
  const Memory::Parts parts = need_of(question, amounts_of(question)).parts;
  Terms terms;
  terms.add(
      "weights", parts.weights,
      fmt::format("{} parameters as {}", billions(static_cast<double>(question.ops.parameters())),
                  question.workload.quant.name),
      "all components of the pipeline resident");
  terms.add("activations", parts.activations,
            fmt::format("batch {}: live outputs of the network, or the decoder at {} pixels",
                        question.workload.concurrency, question.workload.resolution.value_or(0)),
            "published activation counts; Esser et al. 2021 (VQGAN decoder)");
  terms.add("runtime", parts.runtime, "context of the driver", "vendor documentation");
  terms.add("fragmentation", parts.fragmentation, "share of activations",
            "data/calibration/memory.json, memory_fragmentation");
  return terms.take();
}

}  // namespace

std::vector<Term> explain_memory(const Question& question) {
  if (workload::is_training(question.workload.task)) {
    return explain_training(question);
  }
  return question.workload.task == Task::inference ? explain_inference(question)
                                                   : explain_vision(question);
}

}  // namespace gpu_advisor::estimate
