#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_set>

#include "tensor_internal.hpp"

namespace gpu_advisor::model {

std::optional<std::int64_t> element_count(const std::vector<std::int64_t>& shape) {
  constexpr auto kMost = static_cast<std::int64_t>(kMostFileBytes) * 8;  // one bit each
  std::int64_t count = 1;
  for (const std::int64_t size : shape) {
    if (size < 0)
      return std::nullopt;
    if (size > 0 && count > kMost / size)
      return std::nullopt;
    count *= size;
  }
  return count;
}

StoredWeights summarise(const std::vector<Tensor>& tensors) {
  StoredWeights stored;
  std::map<std::string_view, std::int64_t> by_type;
  std::int64_t bytes = 0;
  for (const Tensor& tensor : tensors) {
    stored.elements += tensor.elements;
    bytes += static_cast<std::int64_t>(tensor.bytes);
    by_type[tensor.type] += static_cast<std::int64_t>(tensor.bytes);
  }
  stored.tensors = static_cast<std::int64_t>(tensors.size());
  stored.bytes = units::bytes(static_cast<double>(bytes));
  for (const auto& [type, size] : by_type)
    stored.bytes_by_type.emplace_back(type, size);
  std::ranges::stable_sort(stored.bytes_by_type,
                           [](const auto& a, const auto& b) { return a.second > b.second; });
  return stored;
}

support::Status check_unique(const std::vector<Tensor>& tensors, const std::string& file) {
  std::unordered_set<std::string_view> names;
  for (const Tensor& tensor : tensors)
    if (!names.insert(tensor.name).second)
      return support::Error{.code = support::ErrorCode::malformed_weights,
                            .message = "the tensor \"" + tensor.name + "\" stands twice",
                            .location = {.file = file}};
  return support::ok();
}

}  // namespace gpu_advisor::model
