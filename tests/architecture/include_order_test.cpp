#include <algorithm>
#include <map>
#include <set>

#include "architecture/source_tree.hpp"
#include "catch2.hpp"

// Which module may use which. One way only; modules of one level do not know each other.

using gpu_advisor::test::Include;
using gpu_advisor::test::includes_of;
using gpu_advisor::test::place;
using gpu_advisor::test::repository_text;
using gpu_advisor::test::source_files;
using gpu_advisor::test::SourceFile;

namespace {

using Modules = std::set<std::string>;

const std::map<std::string, Modules>& may_use() {
  static const std::map<std::string, Modules> table = [] {
    std::map<std::string, Modules> t;
    const auto add = [&t](const std::string& module, const Modules& nearest) {
      Modules all = nearest;
      for (const std::string& below : nearest) {
        all.insert(t.at(below).begin(), t.at(below).end());
      }
      t[module] = all;
    };
    add("support", {});
    add("units", {"support"});
    add("catalog", {"units"});
    add("model", {"units"});
    add("rules", {"units"});
    add("workload", {"model", "catalog"});
    add("ops", {"workload"});
    add("estimate", {"ops"});
    add("layout", {"estimate"});
    add("rank", {"layout", "rules"});
    add("plan", {"rank"});
    add("render", {"plan"});
    add("commands", {"render"});
    add("main", {"commands"});
    return t;
  }();
  return table;
}

// "gpu_advisor/catalog/date.hpp" and "catalog/date_internal.hpp" belong to catalog; a name without
// a folder is a file beside the including one.
std::string module_of_header(std::string header) {
  constexpr std::string_view kPublic = "gpu_advisor/";
  if (header.starts_with(kPublic)) {
    header.erase(0, kPublic.size());
  }
  return header.substr(0, header.find('/'));
}

bool is_internal(const std::string& header) {
  return !header.starts_with("gpu_advisor/");
}

std::vector<std::string> violations(const auto& is_wrong) {
  std::vector<std::string> found;
  for (const SourceFile& file : source_files({"include", "src"})) {
    for (const Include& include : includes_of(file)) {
      if (is_wrong(file, include)) {
        found.push_back(place(file, include.line) + " includes " + include.header);
      }
    }
  }
  return found;
}

bool names_a_module(const Include& include) {
  return include.quoted && may_use().contains(module_of_header(include.header));
}

}  // namespace

TEST_CASE("a module includes only modules below it") {
  CHECK(violations([](const SourceFile& file, const Include& include) {
          const std::string used = module_of_header(include.header);
          return names_a_module(include) && used != file.module &&
                 !may_use().at(file.module).contains(used);
        }) == std::vector<std::string>{});
}

TEST_CASE(
    "every quoted include is a header of a module, or lies beside or below the including file") {
  std::set<std::string> paths;
  for (const SourceFile& file : source_files({"src"})) {
    paths.insert(file.path);
  }
  CHECK(violations([&paths](const SourceFile& file, const Include& include) {
          const std::string folder = file.path.substr(0, file.path.rfind('/') + 1);
          return include.quoted && !names_a_module(include) &&
                 !paths.contains(folder + include.header);
        }) == std::vector<std::string>{});
}

TEST_CASE("internal headers stay inside their module") {
  CHECK(violations([](const SourceFile& file, const Include& include) {
          return names_a_module(include) && is_internal(include.header) &&
                 (module_of_header(include.header) != file.module ||
                  file.path.starts_with("include/"));
        }) == std::vector<std::string>{});
}

TEST_CASE("documents and writers know no domain type") {
  CHECK(violations([](const SourceFile& file, const Include& include) {
          const bool neutral = file.path.find("render/document/") != std::string::npos ||
                               file.path.find("render/writers/") != std::string::npos;
          const Modules allowed = {"support", "units", "render"};
          return neutral && names_a_module(include) &&
                 (!allowed.contains(module_of_header(include.header)) ||
                  include.header.find("render/present/") != std::string::npos);
        }) == std::vector<std::string>{});
}

TEST_CASE("libraries of one purpose are included in their module alone") {
  const std::map<std::string, Modules> homes = {
      {"CLI/", {"commands"}},
      {"CLI11", {"commands"}},
      {"simdjson", {"catalog", "model"}},
      {"valijson/", {"commands", "catalog"}},
  };
  CHECK(violations([&homes](const SourceFile& file, const Include& include) {
          return std::ranges::any_of(homes, [&](const auto& home) {
            return include.header.starts_with(home.first) && !home.second.contains(file.module);
          });
        }) == std::vector<std::string>{});
}

TEST_CASE("the physics reads no JSON and does no input or output") {
  const Modules physics = {"ops", "estimate", "layout", "rank"};
  const std::set<std::string> banned = {"nlohmann/json.hpp",
                                        "nlohmann/json_fwd.hpp",
                                        "simdjson.h",
                                        "gpu_advisor/support/json.hpp",
                                        "iostream",
                                        "fstream",
                                        "filesystem",
                                        "cstdio",
                                        "ostream",
                                        "istream",
                                        "stdio.h"};
  CHECK(violations([&](const SourceFile& file, const Include& include) {
          return physics.contains(file.module) && banned.contains(include.header);
        }) == std::vector<std::string>{});
}

TEST_CASE("the build names each module's dependencies as the order allows") {
  for (const auto& [module, allowed] : may_use()) {
    if (module == "main") {
      continue;
    }
    CAPTURE(module);
    const std::string text = repository_text("src/" + module + "/CMakeLists.txt");
    const std::size_t begin = text.find("DEPENDS");
    if (begin == std::string::npos) {
      continue;
    }
    const std::string depends = text.substr(begin, text.find("LIBRARIES", begin) - begin);
    for (const auto& [other, unused] : may_use()) {
      const bool named = depends.find(" " + other + "\n") != std::string::npos ||
                         depends.find(" " + other + ")") != std::string::npos;
      CAPTURE(other);
      CHECK((!named || allowed.contains(other)));
    }
  }
}
