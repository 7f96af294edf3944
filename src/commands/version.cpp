#include "gpu_advisor/support/version.hpp"

#include <fmt/format.h>
#include <ostream>

#include "command_internal.hpp"
#include "gpu_advisor/render/present/lists.hpp"

namespace gpu_advisor::commands {

support::Result<ExitCode> run_version(const Call& call) {
  GPU_ADVISOR_TRY(const catalog::Catalog catalog,
                  load_catalog(call, {.offers = true, .calibration = false}));
  catalog::Date newest;
  for (const catalog::PriceRow& row : catalog.prices())
    if (row.as_of.known() && (!newest.known() || row.as_of > newest))
      newest = row.as_of;
  render::Facts facts{.title = "", .rows = {}};
  const auto add = [&facts](std::string label, std::string value) {
    facts.rows.emplace_back(std::move(label), render::Cell{.text = std::move(value)});
  };
  add("gpu-advisor", std::string(support::kVersion));
  add("catalog", newest.text());
  add("schemas",
      "accelerators@1 offers@1 models@1 rules@1 calibration@1 estimate@1 recommendation@1 model@1");
  if (call.globals.format == "json") {
    call.world.out << render::facts_json("gpu-advisor/version@1", facts);
    return 0;
  }
  render::Document document;
  document.sections.emplace_back(std::move(facts));
  write_document(call, document);
  return 0;
}

}  // namespace gpu_advisor::commands
