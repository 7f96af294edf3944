#include <algorithm>

#include "offer_fields_internal.hpp"

namespace gpu_advisor::catalog {
namespace {

std::string_view text_of(const FieldInput& value) {
  return std::get<std::string_view>(value);
}

std::optional<FieldValue> text_or_nothing(std::string_view text) {
  if (text.empty())
    return std::nullopt;
  return FieldValue(std::string(text));
}

constexpr std::array<std::string_view, kPricingCount> kPricingNames{"on-demand", "spot",
                                                                    "reserved-1y", "reserved-3y"};
constexpr std::array<std::string_view, 5> kLinkNames{"unknown", "pcie", "nvlink", "nvswitch",
                                                     "nvl72"};
constexpr std::array<std::string_view, 7> kFabricNames{"unknown", "none",     "ib",       "roce",
                                                       "efa",     "ethernet", "omni-path"};

#define SKU_TEXT(key, member, required, doc)                       \
  Field<SkuText> {                                                 \
    key, FieldKind::text, required, 0, 0, "", doc,                 \
        [](SkuText& s, const FieldInput& v) -> std::string_view {  \
          s.member = text_of(v);                                   \
          return {};                                               \
        },                                                         \
        [](const SkuText& s) { return text_or_nothing(s.member); } \
  }
#define SKU_AMOUNT(key, member, most, unit, doc, make)            \
  Field<SkuText> {                                                \
    key, FieldKind::number, false, 0, most, unit, doc,            \
        [](SkuText& s, const FieldInput& v) -> std::string_view { \
          s.member = make(std::get<double>(v));                   \
          return {};                                              \
        },                                                        \
        [](const SkuText& s) -> std::optional<FieldValue> {       \
          if (!s.member)                                          \
            return std::nullopt;                                  \
          return FieldValue(*s.member / make(1));                 \
        }                                                         \
  }
#define PRICE_TEXT(key, member, doc)                                 \
  Field<PriceText> {                                                 \
    key, FieldKind::text, false, 0, 0, "", doc,                      \
        [](PriceText& p, const FieldInput& v) -> std::string_view {  \
          p.member = text_of(v);                                     \
          return {};                                                 \
        },                                                           \
        [](const PriceText& p) { return text_or_nothing(p.member); } \
  }
#define PRICE(key, pricing, doc)                                              \
  Field<PriceText> {                                                          \
    key, FieldKind::number, false, 1e-9, 1e6, "currency/h", doc,              \
        [](PriceText& p, const FieldInput& v) -> std::string_view {           \
          p.amounts[static_cast<std::size_t>(pricing)] = std::get<double>(v); \
          return {};                                                          \
        },                                                                    \
        [](const PriceText& p) -> std::optional<FieldValue> {                 \
          const auto& amount = p.amounts[static_cast<std::size_t>(pricing)];  \
          if (!amount)                                                        \
            return std::nullopt;                                              \
          return FieldValue(*amount);                                         \
        }                                                                     \
  }

std::string_view set_link(SkuText& s, const FieldInput& v) {
  const auto row = std::ranges::find(kLinkNames, text_of(v));
  if (row == kLinkNames.end())
    return "pcie, nvlink, nvswitch or nvl72";
  s.sku.link = static_cast<NodeLink>(row - kLinkNames.begin());
  return {};
}

std::string_view set_fabric(SkuText& s, const FieldInput& v) {
  const auto row = std::ranges::find(kFabricNames, text_of(v));
  if (row == kFabricNames.end())
    return "none, ib, roce, efa, ethernet or omni-path";
  s.sku.fabric = static_cast<Fabric>(row - kFabricNames.begin());
  return {};
}

std::string_view set_flagged(PriceText& p, const FieldInput& v) {
  for (const std::string_view name : std::get<std::vector<std::string_view>>(v)) {
    const auto row = std::ranges::find(kPricingNames, name);
    if (row == kPricingNames.end())
      return "on-demand, spot, reserved-1y or reserved-3y";
    p.flagged[static_cast<std::size_t>(row - kPricingNames.begin())] = true;
  }
  return {};
}

std::optional<FieldValue> get_flagged(const PriceText& p) {
  TextList names;
  for (std::size_t i = 0; i < kPricingCount; ++i)
    if (p.flagged[i])
      names.emplace_back(kPricingNames[i]);
  if (names.empty())
    return std::nullopt;
  return FieldValue(std::move(names));
}

std::string_view set_gpus(SkuText& s, const FieldInput& v) {
  s.sku.gpus = std::get<double>(v);
  return {};
}

std::string_view set_as_of(PriceText& p, const FieldInput& v) {
  const auto date = parse_date(text_of(v));
  if (!date)
    return "a date such as 2026-07-20";
  p.as_of = *date;
  return {};
}

const std::array kSkuFields{
    SKU_TEXT("id", sku.id, true, "provider/instance type, lower case."),
    SKU_TEXT("instance_type", sku.instance_type, true, "As the provider writes it."),
    SKU_TEXT("accelerator", accelerator, false,
             "Id in data/accelerators; absent: a card not described there."),
    SKU_TEXT("gpu_name", sku.gpu_name, true, "As the source writes it."),
    Field<SkuText>{"gpus", FieldKind::number, false, 1e-6, 100000, "",
                   "GPUs of one instance; below 1: a slice; absent: not stated.", set_gpus,
                   [](const SkuText& s) -> std::optional<FieldValue> {
                     if (s.sku.gpus <= 0)
                       return std::nullopt;
                     return FieldValue(s.sku.gpus);
                   }},
    SKU_AMOUNT("gpu_memory_gib", sku.gpu_memory, 4096, "GiB", "Per GPU; of a slice, the slice.",
               units::gib),
    SKU_AMOUNT("vcpus", sku.vcpus, 100000, "", "Virtual processors.", static_cast<double>),
    SKU_AMOUNT("ram_gib", sku.ram, 1e6, "GiB", "Host memory.", units::gib),
    SKU_AMOUNT("local_disk_gb", sku.local_disk, 1e7, "GB", "Local disk, decimal.", units::gb),
    SKU_AMOUNT("network_gbps", sku.network, 1e5, "Gbit/s", "One way, whole instance.",
               units::gbit_per_second),
    Field<SkuText>{"fabric", FieldKind::text, false, 0, 0, "",
                   "Network between nodes; absent: unknown.", set_fabric,
                   [](const SkuText& s) -> std::optional<FieldValue> {
                     if (s.sku.fabric == Fabric::unknown)
                       return std::nullopt;
                     return FieldValue(std::string(name(s.sku.fabric)));
                   }},
    Field<SkuText>{"link", FieldKind::text, false, 0, 0, "",
                   "Between the GPUs of a node; absent: unknown.", set_link,
                   [](const SkuText& s) -> std::optional<FieldValue> {
                     if (s.sku.link == NodeLink::unknown)
                       return std::nullopt;
                     return FieldValue(std::string(name(s.sku.link)));
                   }},
    SKU_TEXT("status", sku.status, false,
             "retired, retiring, preview, promo, or component (a GPU price without its host)."),
    SKU_TEXT("notes", sku.notes, false, "What else the sources say."),
};

const std::array kPriceFields{
    PRICE_TEXT("region", region, "As the provider writes it; absent: not stated."),
    PRICE_TEXT("zones", zones, "Zones, separated by ';'."),
    PRICE_TEXT("currency", currency, "ISO 4217."),
    PRICE("on_demand", Pricing::on_demand, "Whole instance, per hour; absent: unknown."),
    PRICE("spot", Pricing::spot, "Whole instance, per hour; absent: unknown."),
    PRICE("reserved_1y", Pricing::reserved_1y, "Whole instance, per hour; absent: unknown."),
    PRICE("reserved_3y", Pricing::reserved_3y, "Whole instance, per hour; absent: unknown."),
    Field<PriceText>{"as_of", FieldKind::date, false, 0, 0, "",
                     "Day of the price; absent: unknown.", set_as_of,
                     [](const PriceText& p) -> std::optional<FieldValue> {
                       if (!p.as_of.known())
                         return std::nullopt;
                       return FieldValue(p.as_of.text());
                     }},
    PRICE_TEXT("source", source, "Key into the file's sources."),
    Field<PriceText>{"flagged", FieldKind::texts, false, 0, 0, "",
                     "Pricing models that are listed and not ranked.", set_flagged, get_flagged},
    PRICE_TEXT("flag", flag, "Why."),
    PRICE_TEXT("notes", notes, "What else the source says."),
};

}  // namespace

std::string_view name(Pricing pricing) {
  return kPricingNames[static_cast<std::size_t>(pricing)];
}
std::string_view name(NodeLink link) {
  return kLinkNames[static_cast<std::size_t>(link)];
}
std::string_view name(Fabric fabric) {
  return kFabricNames[static_cast<std::size_t>(fabric)];
}

std::span<const Field<SkuText>> sku_fields() {
  return kSkuFields;
}
std::span<const Field<PriceText>> price_fields() {
  return kPriceFields;
}

}  // namespace gpu_advisor::catalog
