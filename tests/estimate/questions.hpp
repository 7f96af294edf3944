#pragma once

#include <string>

#include "gpu_advisor/estimate/estimate.hpp"
#include "gpu_advisor/units/data_type.hpp"
#include "ops/models.hpp"

namespace gpu_advisor::tests {

/// A data-center GPU with this much usable memory.
inline catalog::Accelerator gpu_with(units::Bytes memory) {
  catalog::Accelerator gpu;
  gpu.id = "test-gpu";
  gpu.vendor = catalog::Vendor::nvidia;
  gpu.compute_capability = 8.0;
  gpu.memory = memory;
  gpu.driver_memory = memory;
  return gpu;
}

/// Everything that a question refers to, held together.
struct Case {
  workload::Workload work;
  workload::Layout layout;
  catalog::Accelerator gpu = gpu_with(units::gib(80));
  catalog::Calibration calibration;

  [[nodiscard]] estimate::Memory memory(estimate::Limits limits = estimate::Limits::skip) const {
    const auto operations = ops::describe(work.model);
    workload::Machine machine;
    machine.gpu = &gpu;
    machine.count = layout.gpus();
    return estimate::estimate_memory({work, operations, machine, layout, calibration}, limits);
  }
  [[nodiscard]] double gib(estimate::Limits limits = estimate::Limits::skip) const {
    return memory(limits).per_gpu.value / units::gib(1);
  }
};

/// Full training of a model with the micro-batch and length, 16-bit with fp32 masters.
inline Case training(const Shape& shape = {}) {
  Case made;
  made.work.model = llama_like(shape);
  made.work.task = workload::Task::pretrain;
  made.work.precision = workload::Precision::bf16;
  made.work.seq_len = 2048;
  made.layout.checkpointing = workload::Checkpointing::full;
  return made;
}

/// Serving a model with llama.cpp.
inline Case serving(const std::string& quantisation = "fp16", const Shape& shape = {}) {
  Case made;
  made.work.model = llama_like(shape);
  made.work.task = workload::Task::inference;
  made.work.engine = "llama.cpp";
  made.work.quant = *units::find_quantisation(quantisation);
  made.work.quant_given = true;
  made.work.context = 512;
  return made;
}

}  // namespace gpu_advisor::tests
