#include "gpu_advisor/workload/words.hpp"

#include <array>
#include <span>

#include "gpu_advisor/support/text.hpp"

namespace gpu_advisor::workload {
namespace {

template <typename Word>
struct Row {
  std::string_view text;
  Word word;
};

template <typename Word>
support::Result<Word> look_up(std::string_view text, std::span<const Row<Word>> rows) {
  const std::string lower = support::to_lower(support::trim(text));
  std::vector<std::string> known;
  for (const Row<Word>& row : rows) {
    if (row.text == lower)
      return row.word;
    known.emplace_back(row.text);
  }
  std::string expected;
  for (const std::string& word : known)
    expected += (expected.empty() ? "" : ", ") + word;
  return support::Error{.code = support::ErrorCode::out_of_range,
                        .message = "\"" + std::string(text) + "\" is not one of " + expected,
                        .hint = support::did_you_mean(support::nearest(lower, known, 1))};
}

constexpr std::array kTasks{Row<Task>{"inference", Task::inference},
                            Row<Task>{"pretrain", Task::pretrain},
                            Row<Task>{"finetune", Task::finetune},
                            Row<Task>{"vision-train", Task::vision_train},
                            Row<Task>{"vision-inference", Task::vision_inference},
                            Row<Task>{"diffusion-train", Task::diffusion_train},
                            Row<Task>{"diffusion-inference", Task::diffusion_inference}};
constexpr std::array kMethods{Row<Method>{"full", Method::full}, Row<Method>{"lora", Method::lora},
                              Row<Method>{"qlora", Method::qlora}};
constexpr std::array kPrecisions{
    Row<Precision>{"fp32", Precision::fp32},        Row<Precision>{"tf32", Precision::tf32},
    Row<Precision>{"fp16", Precision::fp16},        Row<Precision>{"bf16", Precision::bf16},
    Row<Precision>{"fp8", Precision::fp8},          Row<Precision>{"amp-fp16", Precision::amp_fp16},
    Row<Precision>{"amp-bf16", Precision::amp_bf16}};
constexpr std::array kCheckpointings{Row<Checkpointing>{"none", Checkpointing::none},
                                     Row<Checkpointing>{"selective", Checkpointing::selective},
                                     Row<Checkpointing>{"full", Checkpointing::full}};
constexpr std::array kArchs{Row<model::Arch>{"dense", model::Arch::dense},
                            Row<model::Arch>{"moe", model::Arch::moe},
                            Row<model::Arch>{"encoder", model::Arch::encoder},
                            Row<model::Arch>{"cnn", model::Arch::cnn},
                            Row<model::Arch>{"vit", model::Arch::vit},
                            Row<model::Arch>{"diffusion", model::Arch::diffusion},
                            Row<model::Arch>{"ssm-hybrid", model::Arch::ssm_hybrid},
                            Row<model::Arch>{"asr", model::Arch::asr},
                            Row<model::Arch>{"mla", model::Arch::moe},
                            Row<model::Arch>{"other", model::Arch::other}};
constexpr std::array kLinks{Row<catalog::NodeLink>{"nvlink", catalog::NodeLink::nvlink},
                            Row<catalog::NodeLink>{"nvswitch", catalog::NodeLink::nvswitch},
                            Row<catalog::NodeLink>{"nvl72", catalog::NodeLink::nvl72},
                            Row<catalog::NodeLink>{"pcie", catalog::NodeLink::pcie}};
constexpr std::array kFabrics{Row<catalog::Fabric>{"ib", catalog::Fabric::infiniband},
                              Row<catalog::Fabric>{"infiniband", catalog::Fabric::infiniband},
                              Row<catalog::Fabric>{"roce", catalog::Fabric::roce},
                              Row<catalog::Fabric>{"efa", catalog::Fabric::efa},
                              Row<catalog::Fabric>{"ethernet", catalog::Fabric::ethernet},
                              Row<catalog::Fabric>{"omni-path", catalog::Fabric::omni_path},
                              Row<catalog::Fabric>{"none", catalog::Fabric::none}};

}  // namespace

template <>
support::Result<Task> parse_word(std::string_view text) {
  return look_up<Task>(text, kTasks);
}
template <>
support::Result<Method> parse_word(std::string_view text) {
  return look_up<Method>(text, kMethods);
}
template <>
support::Result<Precision> parse_word(std::string_view text) {
  return look_up<Precision>(text, kPrecisions);
}
template <>
support::Result<Checkpointing> parse_word(std::string_view text) {
  return look_up<Checkpointing>(text, kCheckpointings);
}
template <>
support::Result<model::Arch> parse_word(std::string_view text) {
  return look_up<model::Arch>(text, kArchs);
}
template <>
support::Result<catalog::NodeLink> parse_word(std::string_view text) {
  return look_up<catalog::NodeLink>(text, kLinks);
}
template <>
support::Result<catalog::Fabric> parse_word(std::string_view text) {
  return look_up<catalog::Fabric>(text, kFabrics);
}

}  // namespace gpu_advisor::workload
