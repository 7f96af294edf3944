#include <algorithm>
#include <cmath>

#include "collective_internal.hpp"

namespace gpu_advisor::estimate {
namespace {

using catalog::Fabric;
using catalog::NodeLink;

// Shares of the nominal one-way rate that NCCL reaches on large buffers (nccl-tests bus bandwidth
// of public machines: NVLink about 80 %, PCIe through the host about 60 %, InfiniBand and RoCE
// about 80 %).
constexpr double kLinkShare = 0.8, kPcieShare = 0.6, kNetworkShare = 0.8, kEthernetShare = 0.6;
constexpr double kLinkLatency = 3e-6, kPcieLatency = 8e-6, kNetworkLatency = 1.2e-5,
                 kEthernetLatency = 4e-5;
/// GB/s one way where a card's slot is unknown: PCIe 3.0 x16.
constexpr double kUnknownPcie = 15.75e9;
/// Gbit/s per node where the network is unknown: a plain cloud instance against a GPU fabric.
constexpr double kUnknownNetwork = 100, kUnknownFabric = 800;

bool has_link(const workload::Machine& machine) {
  using enum NodeLink;
  if (machine.link == pcie)
    return false;
  if (machine.link == nvlink || machine.link == nvswitch || machine.link == nvl72)
    return true;
  return machine.gpu->link != catalog::LinkKind::none && machine.gpu->link_bandwidth.has_value();
}

}  // namespace

Link node_link(const workload::Machine& machine) {
  const catalog::Accelerator& gpu = *machine.gpu;
  if (has_link(machine) && gpu.link_bandwidth)
    return {gpu.link_bandwidth->base() / 2 * kLinkShare, kLinkLatency};
  const auto slot = gpu.pcie_bandwidth();
  return {(slot ? slot->base() : kUnknownPcie) * kPcieShare, kPcieLatency};
}

Link network_link(const workload::Machine& machine) {
  const bool ethernet = machine.fabric == Fabric::ethernet || machine.fabric == Fabric::none ||
                        machine.fabric == Fabric::unknown;
  const double nominal = machine.network ? machine.network->base()
                                         : (ethernet ? kUnknownNetwork : kUnknownFabric) * 1e9 / 8;
  const double share = ethernet ? kEthernetShare : kNetworkShare;
  return {nominal * share / machine.gpus_per_node(), ethernet ? kEthernetLatency : kNetworkLatency};
}

Link link_of_group(const workload::Machine& machine, int gpus) {
  const Link inside = node_link(machine);
  if (gpus <= machine.gpus_per_node())
    return inside;
  const Link outside = network_link(machine);
  // Rings run through every GPU of a node and leave it once: the node's whole network carries one
  // ring.
  const double shared = outside.bytes_per_s * machine.gpus_per_node();
  return {std::min(inside.bytes_per_s, shared), outside.latency};
}

double all_gather(const Link& link, int gpus, double bytes) {
  if (gpus <= 1)
    return 0;
  const double steps = gpus - 1;
  // Trees replace the ring's latency on many members (NCCL since 2.4).
  const double hops = std::min(steps, 2 * std::log2(static_cast<double>(gpus)) + 6);
  return bytes * steps / gpus / link.bytes_per_s + hops * link.latency;
}

double all_reduce(const Link& link, int gpus, double bytes) {
  return 2 * all_gather(link, gpus, bytes);
}

}  // namespace gpu_advisor::estimate
