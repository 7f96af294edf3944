#include <algorithm>
#include <cassert>
#include <fmt/format.h>
#include <simdjson.h>

#include "gpu_advisor/support/text.hpp"
#include "json_file_internal.hpp"
#include "small_fields_internal.hpp"

namespace gpu_advisor::catalog {
namespace {

namespace dom = simdjson::dom;
using support::Error;
using support::ErrorCode;

/// Where a reader is: file and JSON pointer, and where its faults go.
struct Place {
  std::string_view file;
  std::string pointer;
  Diagnostics& faults;

  [[nodiscard]] Place at(std::string_view step) const {
    return {file, fmt::format("{}/{}", pointer, step), faults};
  }
  void fault(ErrorCode code, std::string message, std::string hint = "") const {
    faults.push_back({Diagnostic::Severity::error,
                      Error{.code = code,
                            .message = std::move(message),
                            .location = {.file = std::string(file), .pointer = pointer},
                            .hint = std::move(hint)}});
  }
};

/// By value, so that a range-for keeps it alive; only for what is known to be an array.
dom::array array_of(simdjson::simdjson_result<dom::element> value) {
  dom::array array;
  const auto error = value.get(array);
  assert(error == simdjson::SUCCESS);
  static_cast<void>(error);
  return array;
}

bool is_kind(dom::element value, FieldKind kind) {
  switch (kind) {
    case FieldKind::text:
    case FieldKind::date:
      return value.is_string();
    case FieldKind::number:
      return value.is_number();
    case FieldKind::integer:
      return value.is_int64() || value.is_uint64() ||
             (value.is_double() &&
              value.get_double().value() ==
                  static_cast<double>(static_cast<std::int64_t>(value.get_double().value())));
    case FieldKind::boolean:
      return value.is_bool();
    case FieldKind::texts:
      if (!value.is_array())
        return false;
      for (const dom::element entry :
           array_of(simdjson::simdjson_result<dom::element>(dom::element(value))))
        if (!entry.is_string())
          return false;
      return true;
  }
  return false;
}

FieldInput input_of(dom::element value, FieldKind kind) {
  switch (kind) {
    case FieldKind::boolean:
      return value.get_bool().value();
    case FieldKind::number:
    case FieldKind::integer:
      return value.get_double().value();
    case FieldKind::texts: {
      std::vector<std::string_view> texts;
      for (const dom::element entry :
           array_of(simdjson::simdjson_result<dom::element>(dom::element(value))))
        texts.push_back(entry.get_string().value());
      return texts;
    }
    case FieldKind::text:
    case FieldKind::date:
      break;
  }
  return value.get_string().value();
}

bool is_numeric(FieldKind kind) {
  return kind == FieldKind::number || kind == FieldKind::integer;
}

template <typename Row>
void set_field(const Field<Row>& field, dom::element value, Row& row, const Place& place) {
  if (value.is_null())
    return;
  if (!is_kind(value, field.kind)) {
    place.at(field.key).fault(ErrorCode::wrong_type,
                              fmt::format("expected {}", kind_name(field.kind)));
    return;
  }
  const FieldInput input = input_of(value, field.kind);
  if (is_numeric(field.kind)) {
    const double number = std::get<double>(input);
    if (number < field.least || number > field.most) {
      place.at(field.key).fault(ErrorCode::out_of_range,
                                fmt::format("{} is not between {} and {} {}", number, field.least,
                                            field.most, field.unit));
      return;
    }
  }
  if (const std::string_view expected = field.set(row, input); !expected.empty())
    place.at(field.key).fault(ErrorCode::out_of_range, fmt::format("expected {}", expected));
}

/// The field of that key, sought from `from` on: files keep the order of the list.
template <typename Row>
std::size_t field_index(std::span<const Field<Row>> fields, std::string_view key,
                        std::size_t from) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::size_t index = from + i < fields.size() ? from + i : from + i - fields.size();
    if (fields[index].key == key)
      return index;
  }
  return fields.size();
}

/// Strict reading by the field list. Keys in `beside` are read by the caller.
template <typename Row>
bool read_row(dom::object object, std::span<const Field<Row>> fields, std::string_view beside,
              Row& row, const Place& place) {
  const std::size_t before = place.faults.size();
  std::uint64_t seen = 0;
  std::size_t next = 0;
  for (const auto [key, value] : object) {
    const std::size_t found = field_index(fields, key, next);
    if (found == fields.size()) {
      if (key == beside)
        continue;
      std::vector<std::string> known;
      for (const Field<Row>& field : fields)
        known.emplace_back(field.key);
      place.at(key).fault(ErrorCode::unknown_key, fmt::format("unknown key \"{}\"", key),
                          support::did_you_mean(support::nearest(key, known)));
      continue;
    }
    seen |= std::uint64_t{1} << found;
    next = found + 1;
    set_field(fields[found], value, row, place);
  }
  for (std::size_t i = 0; i < fields.size(); ++i)
    if (fields[i].required && (seen >> i & 1) == 0)
      place.fault(ErrorCode::missing_key, fmt::format("the key \"{}\" is missing", fields[i].key));
  return place.faults.size() == before;
}

bool parse(const DataText& text, dom::element& root, const Place& place) {
  const auto result =
      text.parser.get().parse(text.content.data(), text.content.size(), !text.padded);
  if (result.error() != simdjson::SUCCESS) {
    place.fault(ErrorCode::malformed_json,
                fmt::format("not JSON: {}", simdjson::error_message(result.error())));
    return false;
  }
  root = result.value_unsafe();
  if (!root.is_object()) {
    place.fault(ErrorCode::wrong_type, "expected an object with \"schema\" and \"rows\"");
    return false;
  }
  return true;
}

/// Checks the head {"schema": "gpu-advisor/<kind>@<version>", "rows": […]}.
bool check_head(dom::element root, std::string_view kind, const Place& place) {
  constexpr int kOldest = 1, kCurrent = 1;
  std::string_view schema;
  if (root["schema"].get(schema) != simdjson::SUCCESS) {
    place.at("schema").fault(ErrorCode::missing_key,
                             fmt::format("expected \"gpu-advisor/{}@{}\"", kind, kCurrent));
    return false;
  }
  const std::string prefix = fmt::format("gpu-advisor/{}@", kind);
  const auto version = schema.starts_with(prefix)
                           ? support::parse_number(schema.substr(prefix.size()))
                           : std::nullopt;
  if (!version || *version < kOldest || *version > kCurrent) {
    place.at("schema").fault(
        ErrorCode::unsupported_version,
        fmt::format("\"{}\": this program reads {}{} to {}", schema, prefix, kOldest, kCurrent));
    return false;
  }
  if (!root["rows"].is_array()) {
    place.at("rows").fault(ErrorCode::missing_key, "expected an array of rows");
    return false;
  }
  return true;
}

template <typename Row>
void read_rows(const DataText& text, std::string_view kind, std::span<const Field<Row>> fields,
               Diagnostics& diagnostics, const std::function<void(Row&&)>& take) {
  const Place place{text.path, "", diagnostics};
  dom::element root;
  if (!parse(text, root, place) || !check_head(root, kind, place))
    return;
  std::size_t index = 0;
  for (const dom::element element : array_of(root["rows"])) {
    const Place here = place.at(fmt::format("rows/{}", index++));
    dom::object object;
    if (element.get(object) != simdjson::SUCCESS) {
      here.fault(ErrorCode::wrong_type, "expected an object");
      continue;
    }
    Row row;
    if (read_row(object, fields, "", row, here))
      take(std::move(row));
  }
}

/// Keys of `object` over a row that may exist already.
bool change_row(dom::object object, const std::map<std::string, Accelerator>& gpus,
                Accelerator& row, const Place& place) {
  std::string_view id;
  if (object["id"].get(id) != simdjson::SUCCESS) {
    place.fault(ErrorCode::missing_key, "the key \"id\" is missing");
    return false;
  }
  const auto known = gpus.find(std::string(id));
  if (known == gpus.end())
    return read_row<Accelerator>(object, accelerator_fields(), "", row, place);
  row = known->second;
  const std::size_t before = place.faults.size();
  for (const auto [key, value] : object) {
    const auto field = std::ranges::find(accelerator_fields(), key, &Field<Accelerator>::key);
    if (field == accelerator_fields().end())
      place.at(key).fault(ErrorCode::unknown_key, fmt::format("unknown key \"{}\"", key));
    else if (key == "source")
      row.source += fmt::format(" | {}", value.get_string().value());
    else
      set_field(*field, value, row, place);
  }
  return place.faults.size() == before;
}

OfferFileHead read_head(dom::element root, const Place& place) {
  OfferFileHead head;
  std::string_view provider;
  if (root["provider"].get(provider) == simdjson::SUCCESS)
    head.provider = provider;
  else
    place.at("provider").fault(ErrorCode::missing_key, "expected the provider's id");
  dom::object sources;
  if (root["sources"].get(sources) == simdjson::SUCCESS)
    for (const auto [key, value] : sources)
      if (value.is_string())
        head.sources.emplace(key, value.get_string().value());
  return head;
}

bool read_prices(dom::object offer, OfferText& out, const Place& place) {
  out.prices.clear();
  dom::array prices;
  if (offer["prices"].get(prices) != simdjson::SUCCESS)
    return true;
  const std::size_t before = place.faults.size();
  std::size_t index = 0;
  for (const dom::element element : prices) {
    PriceText price;
    dom::object object;
    // The pointer is only spelled out where something is wrong.
    Diagnostics faults;
    const Place here{place.file, "", faults};
    if (element.get(object) == simdjson::SUCCESS)
      read_row<PriceText>(object, price_fields(), "", price, here);
    else
      here.fault(ErrorCode::wrong_type, "expected an object");
    for (Diagnostic& fault : faults) {
      fault.error.location.pointer =
          fmt::format("{}/prices/{}{}", place.pointer, index, fault.error.location.pointer);
      place.faults.push_back(std::move(fault));
    }
    out.prices.push_back(std::move(price));
    ++index;
  }
  return place.faults.size() == before;
}

}  // namespace

FileParser::FileParser() : parser_(std::make_unique<dom::parser>()) {}
FileParser::~FileParser() = default;

std::string_view kind_name(FieldKind kind) {
  switch (kind) {
    case FieldKind::text:
      return "a string";
    case FieldKind::number:
      return "a number";
    case FieldKind::integer:
      return "a whole number";
    case FieldKind::boolean:
      return "true or false";
    case FieldKind::date:
      return "a date as a string, such as \"2026-07-20\"";
    case FieldKind::texts:
      return "an array of strings";
  }
  return "a value";
}

void read_accelerators(const DataText& text, Diagnostics& diagnostics,
                       const std::function<void(Accelerator&&)>& take) {
  read_rows<Accelerator>(text, "accelerators", accelerator_fields(), diagnostics, take);
}

support::Result<std::vector<Accelerator>> read_corrections(
    std::string_view text, const std::map<std::string, Accelerator>& gpus) {
  Diagnostics faults;
  const Place place{"data/import/accelerators.json", "", faults};
  std::vector<Accelerator> rows;
  FileParser parser;
  dom::element root;
  if (parse({.path = place.file, .content = text, .parser = parser}, root, place) &&
      check_head(root, "accelerator-corrections", place)) {
    std::size_t index = 0;
    for (const dom::element element : array_of(root["rows"])) {
      const Place here = place.at(fmt::format("rows/{}", index++));
      dom::object object;
      Accelerator row;
      if (element.get(object) != simdjson::SUCCESS)
        here.fault(ErrorCode::wrong_type, "expected an object");
      else if (change_row(object, gpus, row, here))
        rows.push_back(std::move(row));
    }
  }
  if (!faults.empty())
    return faults.front().error;
  return rows;
}

void read_providers(const DataText& text, Diagnostics& diagnostics,
                    const std::function<void(Provider&&)>& take) {
  read_rows<Provider>(text, "providers", provider_fields(), diagnostics, take);
}

void read_exchange_rates(const DataText& text, Diagnostics& diagnostics,
                         const std::function<void(ExchangeRate&&)>& take) {
  read_rows<ExchangeRate>(text, "exchange-rates", exchange_rate_fields(), diagnostics, take);
}

void read_market(const DataText& text, Diagnostics& diagnostics,
                 const std::function<void(MarketRow&&)>& take) {
  read_rows<MarketRow>(text, "hardware-prices", market_fields(), diagnostics, take);
}

void read_offers(const DataText& text, Diagnostics& diagnostics,
                 const std::function<void(const OfferFileHead&, OfferText&)>& take) {
  const Place place{text.path, "", diagnostics};
  dom::element root;
  if (!parse(text, root, place) || !check_head(root, "offers", place))
    return;
  const OfferFileHead head = read_head(root, place);
  std::size_t index = 0;
  OfferText offer;
  for (const dom::element element : array_of(root["rows"])) {
    const Place here = place.at(fmt::format("rows/{}", index++));
    dom::object object;
    if (element.get(object) != simdjson::SUCCESS) {
      here.fault(ErrorCode::wrong_type, "expected an object");
      continue;
    }
    offer.sku = {};
    const bool sku_good = read_row<SkuText>(object, sku_fields(), "prices", offer.sku, here);
    if (read_prices(object, offer, here) && sku_good)
      take(head, offer);
  }
}

}  // namespace gpu_advisor::catalog
