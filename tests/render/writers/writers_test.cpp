#include "gpu_advisor/render/writers/writers.hpp"

#include <string>

#include "catch2.hpp"
#include "gpu_advisor/support/text.hpp"

using namespace gpu_advisor::render;
using gpu_advisor::support::display_width;
using gpu_advisor::support::split;

namespace {

Table offers() {
  Table table;
  table.title = "Offers";
  table.columns = {{"offer", "Offer"},
                   {"hourly_usd", "USD/h", Align::right},
                   {"region", "Region", Align::left, 2},
                   {"source", "Source", Align::left, 3},
                   {"why", "Why", Align::left, 1, true}};
  Table::Row first{.cells = {{"aws p5.48xlarge"},
                             {"98.32", "98.32000"},
                             {"us-east-1"},
                             {"https://example.org/prices"},
                             {"the cheapest that holds the model"}}};
  Table::Row second{
      .cells = {{"gcp a3"}, {"8.00"}, {"europe-west4"}, {"https://example.org/list"}, {"fast"}},
      .notes = {{Tone::warn, "spot prices change by the hour"}}};
  table.rows = {first, second};
  return table;
}

std::size_t widest(const std::string& text) {
  std::size_t most = 0;
  for (const auto line : split(text, '\n'))
    most = std::max(most, display_width(line));
  return most;
}

}  // namespace

TEST_CASE("a table uses a wide terminal and aligns numbers to the right") {
  const std::string out = write_table({.sections = {offers()}}, {.width = 200});
  CHECK(out ==
        "Offers\n"
        "Offer            USD/h  Region        Source                      Why\n"
        "───────────────  ─────  ────────────  ──────────────────────────  "
        "─────────────────────────────────\n"
        "aws p5.48xlarge  98.32  us-east-1     https://example.org/prices  "
        "the cheapest that holds the model\n"
        "gcp a3            8.00  europe-west4  https://example.org/list    fast\n"
        "  ! spot prices change by the hour\n");
}

TEST_CASE("a narrow table wraps, then drops the least wanted columns and names them") {
  const std::string out = write_table({.sections = {offers()}}, {.width = 60});
  CHECK(out ==
        "Offers\n"
        "Offer            USD/h  Region        Why\n"
        "───────────────  ─────  ────────────  ──────────────────────\n"
        "aws p5.48xlarge  98.32  us-east-1     the cheapest that\n"
        "                                      holds the model\n"
        "gcp a3            8.00  europe-west4  fast\n"
        "  ! spot prices change by the hour\n"
        "… Source\n");
}

TEST_CASE("no line of texts is wider than the terminal") {
  for (int width = 20; width <= 220; width += 5) {
    CAPTURE(width);
    CHECK(widest(write_table({.title = "A title", .sections = {offers()}}, {.width = width})) <=
          static_cast<std::size_t>(width));
  }
}

TEST_CASE("a number is never shortened") {
  Table table;
  table.columns = {{"a", "A", Align::right}, {"b", "B", Align::right}};
  table.rows = {{.cells = {{"1234567890123"}, {"1234567890123"}}}};
  CHECK(write_table({.sections = {table}}, {.width = 20}).find("1234567890123  1234567890123") !=
        std::string::npos);
}

TEST_CASE("a text that has no room ends in an ellipsis") {
  Table table;
  table.columns = {{"a", "A"}, {"b", "B", Align::right}};
  table.rows = {{.cells = {{"a name of many letters that goes on"}, {"1"}}}};
  CHECK(write_table({.sections = {table}}, {.width = 30}) ==
        "A                            B\n"
        "───────────────────────────  ─\n"
        "a name of many letters tha…  1\n");
}

TEST_CASE("East Asian characters take two columns") {
  Table table;
  table.columns = {{"a", "显卡"}, {"b", "价格", Align::right}};
  table.rows = {{.cells = {{"昇腾910B"}, {"12"}}}, {.cells = {{"H100"}, {"3"}}}};
  CHECK(write_table({.sections = {table}}, {.width = 80}) ==
        "显卡      价格\n"
        "────────  ────\n"
        "昇腾910B    12\n"
        "H100         3\n");
}

TEST_CASE("Chinese text wraps between characters") {
  const Document document{.sections = {Notes{.lines = {"显存不足以容纳该模型的权重和缓存"}}}};
  CHECK(write_table(document, {.width = 22}) ==
        "- 显存不足以容纳该模型\n"
        "  的权重和缓存\n");
}

TEST_CASE("colour is written only when asked for, and never counts as width") {
  Table table;
  table.columns = {{"a", "A"}, {"b", "B"}};
  table.rows = {{.cells = {{.text = "yes", .tone = Tone::good}, {.text = "x"}}}};
  const Document document{.sections = {table}};
  CHECK(write_table(document, {}).find('\x1b') == std::string::npos);
  CHECK(write_table(document, {.colour = true}).find("\x1b[32myes\x1b[0m  x\n") !=
        std::string::npos);
}

TEST_CASE("control characters of a hostile name do not reach the terminal") {
  const Document document{.sections = {Facts{.rows = {{"name", {"a\x1b[31mb\xC2\x9B\xFF"}}}}}};
  CHECK(write_table(document, {}) == "name  a [31mb \xEF\xBF\xBD\n");
}

TEST_CASE("facts line up below their labels, long values hang") {
  const Facts facts{.title = "Model",
                    .rows = {{"name", {"Llama"}}, {"layers", {"32"}}, {"note", {"one two three"}}}};
  CHECK(write_table({.sections = {facts}}, {.width = 30}) ==
        "Model\nname    Llama\nlayers  32\nnote    one two three\n");
  CHECK(write_table({.sections = {Facts{.rows = {{"note", {"one two three four five six"}}}}}},
                    {.width = 26}) == "note  one two three four\n      five six\n");
}

TEST_CASE("quiet leaves tables and facts alone on the page") {
  const Document document{.title = "T",
                          .sections = {Notes{.lines = {"n"}}, Facts{.rows = {{"k", {"v"}}}}}};
  CHECK(write_table(document, {.quiet = true}) == "k  v\n");
  CHECK(write_table(document, {}) == "T\n\n- n\n\nk  v\n");
}

TEST_CASE("CSV quotes what needs it and prefers raw values") {
  Table table;
  table.columns = {{"name", "Name"}, {"usd", "USD"}};
  table.rows = {{.cells = {{"a,b"}, {"1.20", "1.2"}}}, {.cells = {{"say \"x\"\nnow"}}}};
  CHECK(write_csv({.sections = {Notes{.lines = {"n"}}, table, offers()}}, {}) ==
        "name,usd\n\"a,b\",1.2\n\"say \"\"x\"\"\nnow\",\n");
  CHECK(write_csv({.sections = {Facts{.rows = {{"k", {"v"}}}}}}, {}) == "name,value\nk,v\n");
  CHECK(write_csv({}, {}).empty());
}

TEST_CASE("Markdown is a GitHub table with everything escaped") {
  Table table;
  table.title = "T";
  table.columns = {{"name", "Name"}, {"usd", "USD/h", Align::right}};
  table.rows = {{.cells = {{"a|b *c* per_gpu"}, {"1.2"}}, .notes = {{Tone::warn, "<b>"}}}};
  CHECK(write_markdown({.title = "D", .sections = {table}}, {}) ==
        "# D\n\n## T\n\n| Name | USD/h |\n| --- | ---: |\n| a\\|b \\*c\\* per_gpu | 1.2 |\n\n"
        "- **a\\|b \\*c\\* per_gpu**: \\<b\\>\n");
  CHECK(write_markdown({.sections = {Notes{.bullets = false, .lines = {"# one", "two"}}}}, {}) ==
        "\\# one\n\ntwo\n");
}

TEST_CASE("every writer is found by its format and survives an empty document") {
  for (const Writer& writer : writers()) {
    CHECK(find_writer(writer.format) == &writer);
    CHECK(writer.write({}, {}).empty());
    CHECK_FALSE(writer.write({.sections = {Table{.columns = {{"a", "A"}}}}}, {}).empty());
  }
  CHECK(find_writer("html") == nullptr);
}
