#include <algorithm>
#include <string>

#include "facts_internal.hpp"

namespace gpu_advisor::rank {
namespace {

using rules::Value;
using View = CandidateView;

template <typename Q>
Value in_unit(const std::optional<Q>& amount, Q unit, double share = 1) {
  return amount ? Value(*amount / unit * share) : Value();
}

double per_gpu(const View& v) {
  return 1.0 / std::max(v.machine->gpus_per_node(), 1);
}

Value fabric(const View& v) {
  const catalog::Fabric fabric = v.machine->fabric;
  return fabric == catalog::Fabric::unknown ? Value() : Value(std::string(catalog::name(fabric)));
}

Value rdma(const View& v) {
  using enum catalog::Fabric;
  const catalog::Fabric fabric = v.machine->fabric;
  return fabric == unknown ? Value()
                           : Value(fabric == infiniband || fabric == roce || fabric == efa);
}

Value in_node_link(const View& v) {
  const catalog::NodeLink link = v.machine->link;
  return link == catalog::NodeLink::unknown ? Value() : Value(std::string(catalog::name(link)));
}

}  // namespace

const std::vector<FactRow>& machine_fact_rows() {
  static const std::vector<FactRow> kRows{
      {"offer.instances", [](const View& v) { return Value(v.machine->nodes); }},
      {"offer.gpus", [](const View& v) { return Value(v.machine->gpus_per_node()); }},
      {"offer.total_gpus", [](const View& v) { return Value(v.machine->count); }},
      {"offer.vcpus",
       [](const View& v) { return v.machine->vcpus ? Value(*v.machine->vcpus) : Value(); }},
      {"offer.vcpus_per_gpu",
       [](const View& v) {
         return v.machine->vcpus ? Value(*v.machine->vcpus * per_gpu(v)) : Value();
       }},
      {"offer.ram_gib", [](const View& v) { return in_unit(v.machine->host_ram, units::gib(1)); }},
      {"offer.ram_per_gpu_gib",
       [](const View& v) { return in_unit(v.machine->host_ram, units::gib(1), per_gpu(v)); }},
      {"offer.disk_gb", [](const View& v) { return in_unit(v.machine->local_disk, units::gb(1)); }},
      {"offer.network_gbps",
       [](const View& v) { return in_unit(v.machine->network, units::gbit_per_second(1)); }},
      {"offer.network_gbps_per_gpu",
       [](const View& v) {
         return in_unit(v.machine->network, units::gbit_per_second(1), per_gpu(v));
       }},
      {"offer.fabric", fabric},
      {"offer.rdma", rdma},
      {"offer.in_node_link", in_node_link},
  };
  return kRows;
}

}  // namespace gpu_advisor::rank
