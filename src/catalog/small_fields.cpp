#include <array>

#include "small_fields_internal.hpp"

namespace gpu_advisor::catalog {
namespace {

std::string_view text_of(const FieldInput& value) {
  return std::get<std::string_view>(value);
}

std::optional<FieldValue> text_or_nothing(const std::string& text) {
  if (text.empty())
    return std::nullopt;
  return FieldValue(text);
}

#define PROVIDER_TEXT(key, member, required, doc)                   \
  Field<Provider> {                                                 \
    key, FieldKind::text, required, 0, 0, "", doc,                  \
        [](Provider& p, const FieldInput& v) -> std::string_view {  \
          p.member = text_of(v);                                    \
          return {};                                                \
        },                                                          \
        [](const Provider& p) { return text_or_nothing(p.member); } \
  }

std::string_view set_aliases(Provider& p, const FieldInput& v) {
  const auto& names = std::get<std::vector<std::string_view>>(v);
  p.aliases.assign(names.begin(), names.end());
  return {};
}

const std::array kProviderFields{
    PROVIDER_TEXT("id", id, true, "Stable lower-case id; the first part of SKU ids."),
    PROVIDER_TEXT("name", name, true, "Name for people."),
    Field<Provider>{"aliases", FieldKind::texts, false, 0, 0, "", "Spellings that people use.",
                    set_aliases,
                    [](const Provider& p) -> std::optional<FieldValue> {
                      if (p.aliases.empty())
                        return std::nullopt;
                      return FieldValue(p.aliases);
                    }},
    PROVIDER_TEXT("kind", kind, true,
                  "hyperscaler, gpu-cloud, marketplace, telecom or rental-list."),
    PROVIDER_TEXT("country", country, false, "Headquarters, ISO 3166 alpha-2; absent: not stated."),
};

const std::array kRateFields{
    Field<ExchangeRate>{"id", FieldKind::text, true, 0, 0, "", "Currency, ISO 4217.",
                        [](ExchangeRate& r, const FieldInput& v) -> std::string_view {
                          r.currency = text_of(v);
                          return {};
                        },
                        [](const ExchangeRate& r) { return text_or_nothing(r.currency); }},
    Field<ExchangeRate>{"per_usd", FieldKind::number, true, 1e-6, 1e9, "",
                        "Units that one US dollar buys.",
                        [](ExchangeRate& r, const FieldInput& v) -> std::string_view {
                          r.per_usd = std::get<double>(v);
                          return {};
                        },
                        [](const ExchangeRate& r) { return std::optional<FieldValue>(r.per_usd); }},
    Field<ExchangeRate>{
        "as_of", FieldKind::date, true, 0, 0, "", "Day of the rate.",
        [](ExchangeRate& r, const FieldInput& v) -> std::string_view {
          const auto date = parse_date(text_of(v));
          if (!date)
            return "a date such as 2026-07-20";
          r.as_of = *date;
          return {};
        },
        [](const ExchangeRate& r) { return std::optional<FieldValue>(r.as_of.text()); }},
    Field<ExchangeRate>{"source", FieldKind::text, true, 0, 0, "", "Public document.",
                        [](ExchangeRate&, const FieldInput&) -> std::string_view { return {}; },
                        [](const ExchangeRate&) { return std::optional<FieldValue>(); }},
};

}  // namespace

std::span<const Field<Provider>> provider_fields() {
  return kProviderFields;
}
std::span<const Field<ExchangeRate>> exchange_rate_fields() {
  return kRateFields;
}

}  // namespace gpu_advisor::catalog
