#pragma once

#include <string_view>

#include "gpu_advisor/support/result.hpp"
#include "gpu_advisor/workload/workload.hpp"

namespace gpu_advisor::workload {

/// The closed word lists of the workload: Task, Method, Precision, Checkpointing, model::Arch,
/// catalog::NodeLink, catalog::Fabric. An unknown word is out_of_range with the nearest spelling.
template <typename Word>
[[nodiscard]] support::Result<Word> parse_word(std::string_view text);

template <>
support::Result<Task> parse_word(std::string_view text);
template <>
support::Result<Method> parse_word(std::string_view text);
template <>
support::Result<Precision> parse_word(std::string_view text);
template <>
support::Result<Checkpointing> parse_word(std::string_view text);
template <>
support::Result<model::Arch> parse_word(std::string_view text);
template <>
support::Result<catalog::NodeLink> parse_word(std::string_view text);
template <>
support::Result<catalog::Fabric> parse_word(std::string_view text);

}  // namespace gpu_advisor::workload
