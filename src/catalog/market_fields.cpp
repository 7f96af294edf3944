#include <array>

#include "small_fields_internal.hpp"

namespace gpu_advisor::catalog {
namespace {

std::optional<FieldValue> text_or_nothing(const std::string& text) {
  if (text.empty())
    return std::nullopt;
  return FieldValue(text);
}

#define MARKET_TEXT(key, member, required, doc)                      \
  Field<MarketRow> {                                                 \
    key, FieldKind::text, required, 0, 0, "", doc,                   \
        [](MarketRow& m, const FieldInput& v) -> std::string_view {  \
          m.member = std::get<std::string_view>(v);                  \
          return {};                                                 \
        },                                                           \
        [](const MarketRow& m) { return text_or_nothing(m.member); } \
  }
#define MARKET_NUMBER(key, member, most, unit, doc)                 \
  Field<MarketRow> {                                                \
    key, FieldKind::number, false, 0, most, unit, doc,              \
        [](MarketRow& m, const FieldInput& v) -> std::string_view { \
          m.member = std::get<double>(v);                           \
          return {};                                                \
        },                                                          \
        [](const MarketRow& m) -> std::optional<FieldValue> {       \
          if (!m.member)                                            \
            return std::nullopt;                                    \
          return FieldValue(*m.member);                             \
        }                                                           \
  }

std::string_view set_as_of(MarketRow& m, const FieldInput& v) {
  const auto date = parse_date(std::get<std::string_view>(v));
  if (!date)
    return "a date such as 2026-07-20";
  m.as_of = *date;
  return {};
}

std::optional<FieldValue> get_as_of(const MarketRow& m) {
  if (!m.as_of.known())
    return std::nullopt;
  return FieldValue(m.as_of.text());
}

constexpr double kMost = 1e9;

const std::array kMarketFields{
    MARKET_TEXT("id", id, true, "Stable lower-case id."),
    MARKET_TEXT("category", category, true, "gpu-purchase, server-purchase, electricity, pue, …"),
    MARKET_TEXT("item", item, true, "What it is, for people."),
    MARKET_TEXT("accelerator", accelerator, false, "Id of the accelerator; absent: none."),
    MARKET_NUMBER("gpus", gpus, 1e6, "", "Accelerators in the item."),
    MARKET_NUMBER("price_usd", price_usd, kMost, "USD", "Of the whole item."),
    MARKET_NUMBER("value", value, kMost, "", "In the row's unit; of a range, the lower end."),
    MARKET_NUMBER("value_high", value_high, kMost, "", "Of a range, the upper end."),
    MARKET_TEXT("unit", unit, false, "usd_per_kwh, usd_per_gpu, ratio, …"),
    MARKET_TEXT("region", region, false, "Country or region; absent: not stated."),
    Field<MarketRow>{"as_of", FieldKind::date, false, 0, 0, "", "Day, or first day of the period.",
                     set_as_of, get_as_of},
    MARKET_TEXT("notes", notes, false, "What else the source says."),
    MARKET_TEXT("source", source, true, "Public document."),
};

}  // namespace

std::span<const Field<MarketRow>> market_fields() {
  return kMarketFields;
}

}  // namespace gpu_advisor::catalog
