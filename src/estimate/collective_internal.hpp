#pragma once

#include "gpu_advisor/estimate/estimate.hpp"

namespace gpu_advisor::estimate {

/// One way to move bytes between GPUs: alpha-beta model (Thakur et al. 2005).
struct Link {
  double bytes_per_s = 0;  // one way, per GPU
  double latency = 0;      // s per step
};
/// Between GPUs of one node: NVLink as the offer or the card has it, else PCIe.
[[nodiscard]] Link node_link(const workload::Machine& machine);
/// Between nodes, the share of one GPU.
[[nodiscard]] Link network_link(const workload::Machine& machine);
/// The slower of both for a group that spans nodes.
[[nodiscard]] Link link_of_group(const workload::Machine& machine, int gpus);

/// Ring algorithms over `gpus` members; `bytes` is the size of the whole buffer.
[[nodiscard]] double all_reduce(const Link& link, int gpus, double bytes);
[[nodiscard]] double all_gather(const Link& link, int gpus, double bytes);  // also reduce-scatter

}  // namespace gpu_advisor::estimate
