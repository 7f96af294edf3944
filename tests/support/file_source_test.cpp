#include "gpu_advisor/support/file_source.hpp"

#include "catch2.hpp"

using gpu_advisor::support::disk_files;
using gpu_advisor::support::ErrorCode;
using gpu_advisor::support::FileSource;
using gpu_advisor::support::MemoryFiles;

using Names = std::vector<std::string>;

namespace {

constexpr std::uint64_t kPlenty = 1 << 20;

const MemoryFiles& memory() {
  static const MemoryFiles files({{"d/a.json", "0123456789"}, {"d/e/b.json", ""}, {"da", "x"}});
  return files;
}

}  // namespace

TEST_CASE("files in memory are read whole or in part") {
  CHECK(memory().read("d/a.json", kPlenty).value() == "0123456789");
  CHECK(memory().read_range("d/a.json", 8, 5).value() == "89");
  CHECK(memory().read_range("d/a.json", 10, 5).value().empty());
  CHECK(memory().size("d/a.json").value() == 10);
  CHECK(memory().read("nothing", kPlenty).error().code == ErrorCode::file_not_found);
}

TEST_CASE("a file larger than the limit is refused, not cut") {
  CHECK(memory().read("d/a.json", 10));
  CHECK(memory().read("d/a.json", 9).error().code == ErrorCode::file_too_large);
}

TEST_CASE("folders in memory are implied by the paths") {
  CHECK(memory().is_folder("d"));
  CHECK(memory().is_folder("d/"));
  CHECK_FALSE(memory().is_folder("da"));
  CHECK(memory().is_file("da"));
  CHECK_FALSE(memory().is_file("d"));
  CHECK(memory().list("d").value() == Names{"a.json", "e"});
  CHECK_FALSE(memory().list("x"));
}

TEST_CASE("files on disk give the same answers") {
  const auto disk = disk_files();
  const std::string top = GPU_ADVISOR_SOURCE_DIR;
  CHECK(disk->is_folder(top + "/src"));
  CHECK(disk->is_file(top + "/LICENSE"));
  CHECK_FALSE(disk->is_file(top + "/src"));
  CHECK(disk->read(top + "/LICENSE", kPlenty)->size() == disk->size(top + "/LICENSE").value());
  CHECK(disk->read(top + "/LICENSE", 5).error().code == ErrorCode::file_too_large);
  CHECK(disk->read(top + "/none", kPlenty).error().code == ErrorCode::file_not_found);
  CHECK(disk->read(top + "/src", kPlenty).error().code == ErrorCode::file_unreadable);
  CHECK(disk->read_range(top + "/CMakeLists.txt", 0, 5).value() == "cmake");
  CHECK(disk->read_range(top + "/CMakeLists.txt", kPlenty, 5).value().empty());
  CHECK_FALSE(disk->list(top + "/none"));
}
