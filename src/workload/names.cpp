#include <array>

#include "gpu_advisor/workload/workload.hpp"

namespace gpu_advisor::workload {

std::string_view name(Task task) {
  constexpr std::array<std::string_view, 7> kNames{
      "inference",        "pretrain",        "finetune",           "vision-train",
      "vision-inference", "diffusion-train", "diffusion-inference"};
  return kNames[static_cast<std::size_t>(task)];
}

std::string_view name(Method method) {
  constexpr std::array<std::string_view, 3> kNames{"full", "lora", "qlora"};
  return kNames[static_cast<std::size_t>(method)];
}

std::string_view name(Precision precision) {
  constexpr std::array<std::string_view, 7> kNames{"fp32", "tf32",     "fp16",    "bf16",
                                                   "fp8",  "amp-fp16", "amp-bf16"};
  return kNames[static_cast<std::size_t>(precision)];
}

std::string_view name(Checkpointing checkpointing) {
  constexpr std::array<std::string_view, 3> kNames{"none", "selective", "full"};
  return kNames[static_cast<std::size_t>(checkpointing)];
}

bool is_training(Task task) {
  return task == Task::pretrain || task == Task::finetune || task == Task::vision_train ||
         task == Task::diffusion_train;
}

units::DataType compute_type(Precision precision) {
  using enum units::DataType;
  constexpr std::array<units::DataType, 7> kTypes{fp32, tf32, fp16, bf16, units::DataType::fp8,
                                                  fp16, bf16};
  return kTypes[static_cast<std::size_t>(precision)];
}

}  // namespace gpu_advisor::workload
