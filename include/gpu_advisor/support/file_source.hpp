#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gpu_advisor/support/result.hpp"

namespace gpu_advisor::support {

/// The only way in which the library reads files: given by the caller, so that tests use memory.
class FileSource {
 public:
  virtual ~FileSource() = default;
  /// Whole content; an error when larger than `limit` bytes. "-" is standard input.
  [[nodiscard]] virtual Result<std::string> read(const std::string& path,
                                                 std::uint64_t limit) const = 0;
  /// `length` bytes from `offset`; fewer only at the end of the file.
  [[nodiscard]] virtual Result<std::string> read_range(const std::string& path,
                                                       std::uint64_t offset,
                                                       std::uint64_t length) const = 0;
  [[nodiscard]] virtual Result<std::uint64_t> size(const std::string& path) const = 0;
  [[nodiscard]] virtual bool is_file(const std::string& path) const = 0;
  [[nodiscard]] virtual bool is_folder(const std::string& path) const = 0;
  /// Names (not paths) of the entries of a folder, sorted.
  [[nodiscard]] virtual Result<std::vector<std::string>> list(const std::string& folder) const = 0;
};

/// The real file system.
[[nodiscard]] std::unique_ptr<FileSource> disk_files();

/// Files held in memory, for tests: path to content; folders are implied by the paths.
class MemoryFiles final : public FileSource {
 public:
  explicit MemoryFiles(std::map<std::string, std::string> files) : files_(std::move(files)) {}
  [[nodiscard]] Result<std::string> read(const std::string& path,
                                         std::uint64_t limit) const override;
  [[nodiscard]] Result<std::string> read_range(const std::string& path, std::uint64_t offset,
                                               std::uint64_t length) const override;
  [[nodiscard]] Result<std::uint64_t> size(const std::string& path) const override;
  [[nodiscard]] bool is_file(const std::string& path) const override;
  [[nodiscard]] bool is_folder(const std::string& path) const override;
  [[nodiscard]] Result<std::vector<std::string>> list(const std::string& folder) const override;

 private:
  std::map<std::string, std::string> files_;
};

}  // namespace gpu_advisor::support
