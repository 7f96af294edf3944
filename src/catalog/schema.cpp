#include "gpu_advisor/catalog/schema.hpp"

#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "accelerator_fields_internal.hpp"
#include "offer_fields_internal.hpp"
#include "small_fields_internal.hpp"

namespace gpu_advisor::catalog {
namespace {

using Schema = nlohmann::ordered_json;

std::string_view json_type(FieldKind kind) {
  switch (kind) {
    case FieldKind::number:
      return "number";
    case FieldKind::integer:
      return "integer";
    case FieldKind::boolean:
      return "boolean";
    case FieldKind::texts:
      return "array";
    case FieldKind::text:
    case FieldKind::date:
      break;
  }
  return "string";
}

template <typename Row>
Schema field_schema(const Field<Row>& field) {
  Schema schema;
  // The reader takes null for "unknown" where a key may be left out.
  if (field.required)
    schema["type"] = json_type(field.kind);
  else
    schema["type"] = {json_type(field.kind), "null"};
  if (field.kind == FieldKind::texts)
    schema["items"] = {{"type", "string"}};
  if (field.kind == FieldKind::date)
    schema["pattern"] = "^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$";
  if (field.kind == FieldKind::number || field.kind == FieldKind::integer) {
    if (field.least > std::numeric_limits<double>::lowest())
      schema["minimum"] = field.least;
    if (field.most < std::numeric_limits<double>::max())
      schema["maximum"] = field.most;
  }
  schema["description"] = field.unit.empty() ? std::string(field.doc)
                                             : fmt::format("{} Unit: {}.", field.doc, field.unit);
  return schema;
}

template <typename Row>
Schema row_schema(std::span<const Field<Row>> fields) {
  Schema schema = {{"type", "object"}, {"properties", Schema::object()}};
  Schema required = Schema::array();
  for (const Field<Row>& field : fields) {
    schema["properties"][std::string(field.key)] = field_schema(field);
    if (field.required)
      required.push_back(field.key);
  }
  if (!required.empty())
    schema["required"] = std::move(required);
  schema["additionalProperties"] = false;
  return schema;
}

Schema file_schema(std::string_view kind, std::string_view title, Schema row) {
  Schema schema;
  schema["$schema"] = "http://json-schema.org/draft-07/schema#";
  schema["title"] = title;
  schema["type"] = "object";
  schema["properties"] = {{"schema", {{"const", fmt::format("gpu-advisor/{}@1", kind)}}},
                          {"rows", {{"type", "array"}, {"items", std::move(row)}}}};
  schema["required"] = {"schema", "rows"};
  schema["additionalProperties"] = false;
  return schema;
}

std::string text_of(const Schema& schema) {
  constexpr int kIndent = 2;
  return schema.dump(kIndent) + "\n";
}

std::string accelerators() {
  return text_of(
      file_schema("accelerators", "Accelerators of gpu-advisor", row_schema(accelerator_fields())));
}

std::string exchange_rates() {
  return text_of(file_schema("exchange-rates", "Exchange rates of gpu-advisor",
                             row_schema(exchange_rate_fields())));
}

std::string hardware_prices() {
  return text_of(file_schema("hardware-prices", "Hardware and upkeep prices of gpu-advisor",
                             row_schema(market_fields())));
}

std::string offers() {
  Schema row = row_schema(sku_fields());
  row["properties"]["prices"] = {{"type", "array"}, {"items", row_schema(price_fields())}};
  Schema schema = file_schema("offers", "Offers of one provider", std::move(row));
  schema["properties"]["provider"] = {{"type", "string"},
                                      {"description", "Id of the provider of all rows."}};
  schema["properties"]["sources"] = {
      {"type", "object"},
      {"additionalProperties", {{"type", "string"}}},
      {"description", "Public documents by the key under which prices name them."}};
  schema["required"].push_back("provider");
  return text_of(schema);
}

std::string providers() {
  return text_of(
      file_schema("providers", "Providers of gpu-advisor", row_schema(provider_fields())));
}

constexpr std::array kSchemas{DataSchema{"accelerators", accelerators},
                              DataSchema{"exchange-rates", exchange_rates},
                              DataSchema{"hardware-prices", hardware_prices},
                              DataSchema{"offers", offers}, DataSchema{"providers", providers}};

}  // namespace

std::span<const DataSchema> data_schemas() {
  return kSchemas;
}

}  // namespace gpu_advisor::catalog
