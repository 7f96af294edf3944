#include <algorithm>
#include <array>

#include "accelerator_fields_internal.hpp"

namespace gpu_advisor::catalog {
namespace {

using units::BytesPerSecond;
using units::FlopsPerSecond;

template <typename Enum>
struct Word {
  std::string_view text;
  Enum value;
};

constexpr std::array kVendors{
    Word<Vendor>{"nvidia", Vendor::nvidia}, Word<Vendor>{"amd", Vendor::amd},
    Word<Vendor>{"apple", Vendor::apple},   Word<Vendor>{"intel", Vendor::intel},
    Word<Vendor>{"google", Vendor::google}, Word<Vendor>{"aws", Vendor::aws},
    Word<Vendor>{"huawei", Vendor::huawei}};
constexpr std::array kStatuses{
    Word<AcceleratorStatus>{"available", AcceleratorStatus::available},
    Word<AcceleratorStatus>{"announced", AcceleratorStatus::announced},
    Word<AcceleratorStatus>{"end-of-life", AcceleratorStatus::end_of_life}};
constexpr std::array kLinks{Word<LinkKind>{"none", LinkKind::none},
                            Word<LinkKind>{"nvlink", LinkKind::nvlink},
                            Word<LinkKind>{"infinity-fabric", LinkKind::infinity_fabric},
                            Word<LinkKind>{"ici", LinkKind::ici},
                            Word<LinkKind>{"hccs", LinkKind::hccs},
                            Word<LinkKind>{"neuronlink", LinkKind::neuronlink},
                            Word<LinkKind>{"xe-link", LinkKind::xe_link},
                            Word<LinkKind>{"roce", LinkKind::ethernet}};

std::string_view text_of(const FieldInput& value) {
  return std::get<std::string_view>(value);
}

std::optional<FieldValue> text_or_nothing(const std::string& text) {
  if (text.empty())
    return std::nullopt;
  return FieldValue(text);
}

std::optional<FieldValue> date_or_nothing(const Date& date) {
  if (!date.known())
    return std::nullopt;
  return FieldValue(date.text());
}

std::string_view store_date(Date& out, const FieldInput& value) {
  const auto date = parse_date(text_of(value));
  if (!date)
    return "a date such as 2026-07-20";
  out = *date;
  return {};
}

#define TEXT(key, member, required, doc)                               \
  Field<Accelerator> {                                                 \
    key, FieldKind::text, required, 0, 0, "", doc,                     \
        [](Accelerator& a, const FieldInput& v) -> std::string_view {  \
          a.member = text_of(v);                                       \
          return {};                                                   \
        },                                                             \
        [](const Accelerator& a) { return text_or_nothing(a.member); } \
  }
#define DATE(key, member, doc)                                                       \
  Field<Accelerator> {                                                               \
    key, FieldKind::date, false, 0, 0, "", doc,                                      \
        [](Accelerator& a, const FieldInput& v) { return store_date(a.member, v); }, \
        [](const Accelerator& a) { return date_or_nothing(a.member); }               \
  }
/// `make` turns the number into the member's type, `unit_value` is one unit of it.
#define AMOUNT(key, member, most, unit, doc, make)                    \
  Field<Accelerator> {                                                \
    key, FieldKind::number, false, 0, most, unit, doc,                \
        [](Accelerator& a, const FieldInput& v) -> std::string_view { \
          a.member = make(std::get<double>(v));                       \
          return {};                                                  \
        },                                                            \
        [](const Accelerator& a) -> std::optional<FieldValue> {       \
          if (!a.member)                                              \
            return std::nullopt;                                      \
          return FieldValue(*a.member / make(1));                     \
        }                                                             \
  }
#define NUMBER(key, member, most, unit, doc)                          \
  Field<Accelerator> {                                                \
    key, FieldKind::number, false, 0, most, unit, doc,                \
        [](Accelerator& a, const FieldInput& v) -> std::string_view { \
          a.member = std::get<double>(v);                             \
          return {};                                                  \
        },                                                            \
        [](const Accelerator& a) -> std::optional<FieldValue> {       \
          if (!a.member)                                              \
            return std::nullopt;                                      \
          return FieldValue(*a.member);                               \
        }                                                             \
  }
#define INTEGER(key, member, most, doc)                               \
  Field<Accelerator> {                                                \
    key, FieldKind::integer, false, 0, most, "", doc,                 \
        [](Accelerator& a, const FieldInput& v) -> std::string_view { \
          a.member = static_cast<int>(std::get<double>(v));           \
          return {};                                                  \
        },                                                            \
        [](const Accelerator& a) -> std::optional<FieldValue> {       \
          if (!a.member)                                              \
            return std::nullopt;                                      \
          return FieldValue(static_cast<double>(*a.member));          \
        }                                                             \
  }

constexpr double kRate = 1e5;  // TFLOP/s: beyond any one chip
using units::gb_per_second;
using units::gib;
using units::mib;
using units::tflops_per_second;
using units::watts;

std::string_view set_vendor(Accelerator& a, const FieldInput& v) {
  a.vendor_name = text_of(v);
  const auto row = std::ranges::find(kVendors, a.vendor_name, &Word<Vendor>::text);
  a.vendor = row == kVendors.end() ? Vendor::other : row->value;
  return {};
}

std::string_view set_status(Accelerator& a, const FieldInput& v) {
  const auto row = std::ranges::find(kStatuses, text_of(v), &Word<AcceleratorStatus>::text);
  if (row == kStatuses.end())
    return "available, announced or end-of-life";
  a.status = row->value;
  return {};
}

std::optional<FieldValue> get_status(const Accelerator& a) {
  if (a.status == AcceleratorStatus::available)
    return std::nullopt;
  return FieldValue(
      std::string(std::ranges::find(kStatuses, a.status, &Word<AcceleratorStatus>::value)->text));
}

std::string_view set_link(Accelerator& a, const FieldInput& v) {
  a.link_name = text_of(v);
  const auto row = std::ranges::find_if(
      kLinks, [&a](const Word<LinkKind>& word) { return a.link_name.starts_with(word.text); });
  a.link = row == kLinks.end() ? LinkKind::other : row->value;
  return {};
}

std::string_view set_aliases(Accelerator& a, const FieldInput& v) {
  const auto& names = std::get<std::vector<std::string_view>>(v);
  a.aliases.assign(names.begin(), names.end());
  return {};
}

std::optional<FieldValue> get_aliases(const Accelerator& a) {
  if (a.aliases.empty())
    return std::nullopt;
  return FieldValue(a.aliases);
}

std::string_view set_memory(Accelerator& a, const FieldInput& v) {
  a.memory = gib(std::get<double>(v));
  return {};
}

std::optional<FieldValue> get_memory(const Accelerator& a) {
  if (a.memory == units::Bytes{})
    return std::nullopt;
  return FieldValue(a.memory / gib(1));
}

std::string_view set_ecc(Accelerator& a, const FieldInput& v) {
  a.ecc = std::get<bool>(v);
  return {};
}

std::optional<FieldValue> get_ecc(const Accelerator& a) {
  if (!a.ecc)
    return std::nullopt;
  return FieldValue(*a.ecc);
}

std::string_view set_unified(Accelerator& a, const FieldInput& v) {
  a.unified_memory = std::get<bool>(v);
  return {};
}

std::optional<FieldValue> get_unified(const Accelerator& a) {
  if (!a.unified_memory)
    return std::nullopt;
  return FieldValue(true);
}

const std::array kFields{
    TEXT("id", id, true, "Stable lower-case id."),
    TEXT("name", name, true, "Name for people."),
    Field<Accelerator>{"aliases", FieldKind::texts, false, 0, 0, "",
                       "Spellings of users, clouds and benchmarks.", set_aliases, get_aliases},
    Field<Accelerator>{"vendor", FieldKind::text, true, 0, 0, "", "Maker.", set_vendor,
                       [](const Accelerator& a) { return text_or_nothing(a.vendor_name); }},
    TEXT("family", family, true, "datacenter, workstation, geforce-rtx, unified, …"),
    TEXT("architecture", architecture, false, "Architecture name; absent: not in a source."),
    NUMBER("compute_capability", compute_capability, 20, "", "CUDA compute capability."),
    TEXT("target", target, false, "Compiler target of AMD devices, as gfx942."),
    DATE("release_date", release_date, "Availability, sometimes announcement."),
    Field<Accelerator>{"status", FieldKind::text, false, 0, 0, "",
                       "available (default), announced or end-of-life.", set_status, get_status},
    TEXT("form_factor", form_factor, false, "pcie, sxm5, oam, soc, laptop, …"),
    TEXT("parent", parent, false, "Of a MIG slice: the id of the whole GPU."),
    Field<Accelerator>{"memory_gib", FieldKind::number, false, 0.001, 4096, "GiB",
                       "Marketed capacity; absent: unknown.", set_memory, get_memory},
    AMOUNT("driver_memory_mib", driver_memory, 4096 * 1024.0, "MiB",
           "Capacity as the driver or runtime reports it.", mib),
    Field<Accelerator>{"unified_memory", FieldKind::boolean, false, 0, 1, "",
                       "The GPU shares the host's memory.", set_unified, get_unified},
    NUMBER("usable_share", usable_share, 1, "", "Share of unified memory that the GPU may use."),
    TEXT("memory_type", memory_type, false, "HBM3, GDDR6X, …"),
    AMOUNT("memory_bandwidth_gbps", bandwidth, kRate, "GB/s", "Theoretical, decimal.",
           gb_per_second),
    INTEGER("cores", cores, 1e6, "CUDA cores or stream processors."),
    INTEGER("tensor_cores", tensor_cores, 1e5, "Tensor or matrix cores."),
    INTEGER("sms", sms, 1e4, "Streaming multiprocessors or compute units."),
    AMOUNT("fp64_tflops", fp64_vector, kRate, "TFLOP/s", "Vector rate.", tflops_per_second),
    AMOUNT("fp32_tflops", fp32_vector, kRate, "TFLOP/s", "Vector rate.", tflops_per_second),
    AMOUNT("fp16_vector_tflops", fp16_vector, kRate, "TFLOP/s", "Vector rate.", tflops_per_second),
    AMOUNT("tf32_tflops", tf32_matrix, kRate, "TFLOP/s", "Matrix rate, dense.", tflops_per_second),
    AMOUNT("fp16_tflops", fp16_matrix, kRate, "TFLOP/s", "Matrix rate, dense, 32-bit accumulation.",
           tflops_per_second),
    AMOUNT("fp16_acc16_tflops", fp16_matrix_acc16, kRate, "TFLOP/s",
           "Matrix rate, dense, 16-bit accumulation.", tflops_per_second),
    AMOUNT("bf16_tflops", bf16_matrix, kRate, "TFLOP/s", "Matrix rate, dense.", tflops_per_second),
    AMOUNT("fp8_tflops", fp8_matrix, kRate, "TFLOP/s", "Matrix rate, dense, 32-bit accumulation.",
           tflops_per_second),
    AMOUNT("fp8_acc16_tflops", fp8_matrix_acc16, kRate, "TFLOP/s",
           "Matrix rate, dense, 16-bit accumulation.", tflops_per_second),
    AMOUNT("fp4_tflops", fp4_matrix, kRate, "TFLOP/s", "Matrix rate, dense.", tflops_per_second),
    AMOUNT("int8_tops", int8_matrix, kRate, "TOP/s", "Matrix rate (DP4A on cc 6.1), dense.",
           tflops_per_second),
    AMOUNT("tdp_w", tdp, 1e4, "W", "Power limit, default setting.", watts),
    Field<Accelerator>{"link", FieldKind::text, false, 0, 0, "",
                       "Scale-up link; absent: unknown; none: no link.", set_link,
                       [](const Accelerator& a) { return text_or_nothing(a.link_name); }},
    AMOUNT("link_gbps", link_bandwidth, kRate, "GB/s", "Per GPU, both directions added.",
           gb_per_second),
    INTEGER("pcie_generation", pcie_generation, 10, "PCI Express generation."),
    INTEGER("pcie_lanes", pcie_lanes, 64, "PCI Express lanes."),
    INTEGER("mig_max_instances", mig_max_instances, 16, "Most MIG instances."),
    Field<Accelerator>{"ecc", FieldKind::boolean, false, 0, 1, "", "Error-correcting memory.",
                       set_ecc, get_ecc},
    NUMBER("msrp_usd", msrp_usd, 1e7, "USD", "Launch price."),
    NUMBER("street_price_usd", street_price_usd, 1e7, "USD", "A dated offer."),
    DATE("price_as_of", price_as_of, "Date of the street price."),
    TEXT("notes", notes, false, "What else the sources say."),
    TEXT("source", source, true, "Public documents, separated by ' | '."),
};

}  // namespace

std::span<const Field<Accelerator>> accelerator_fields() {
  return kFields;
}

}  // namespace gpu_advisor::catalog
