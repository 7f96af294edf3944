#include "gpu_advisor/support/file_source.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>

namespace gpu_advisor::support {
namespace {

namespace fs = std::filesystem;

Error file_error(ErrorCode code, const std::string& path, std::string message) {
  return Error{.code = code, .message = std::move(message), .location = {.file = path}};
}

Error too_large(const std::string& path, std::uint64_t limit) {
  return file_error(ErrorCode::file_too_large, path,
                    "larger than the " + std::to_string(limit) + " bytes that this reader accepts");
}

class DiskFiles final : public FileSource {
 public:
  Result<std::string> read(const std::string& path, std::uint64_t limit) const override {
    if (path == "-")
      return read_stream(std::cin, "stdin", limit);
    GPU_ADVISOR_TRY(const std::uint64_t bytes, size(path));
    if (bytes > limit)
      return too_large(path, limit);
    std::ifstream stream(path, std::ios::binary);
    if (!stream)
      return file_error(ErrorCode::file_unreadable, path, "cannot be opened for reading");
    return read_stream(stream, path, limit);
  }

  Result<std::string> read_range(const std::string& path, std::uint64_t offset,
                                 std::uint64_t length) const override {
    GPU_ADVISOR_TRY(const std::uint64_t bytes, size(path));
    if (offset >= bytes)
      return std::string{};
    std::ifstream stream(path, std::ios::binary);
    if (!stream)
      return file_error(ErrorCode::file_unreadable, path, "cannot be opened for reading");
    std::string content(static_cast<std::size_t>(std::min(length, bytes - offset)), '\0');
    stream.seekg(static_cast<std::streamoff>(offset));
    stream.read(content.data(), static_cast<std::streamsize>(content.size()));
    content.resize(static_cast<std::size_t>(std::max<std::streamsize>(stream.gcount(), 0)));
    return content;
  }

  Result<std::uint64_t> size(const std::string& path) const override {
    std::error_code code;
    const fs::file_status status = fs::status(path, code);
    if (!fs::exists(status))
      return file_error(ErrorCode::file_not_found, path, "no such file");
    if (!fs::is_regular_file(status))
      return file_error(ErrorCode::file_unreadable, path, "not a regular file");
    const std::uintmax_t bytes = fs::file_size(path, code);
    if (code)
      return file_error(ErrorCode::file_unreadable, path, code.message());
    return static_cast<std::uint64_t>(bytes);
  }

  bool is_file(const std::string& path) const override {
    std::error_code code;
    return fs::is_regular_file(path, code);
  }

  bool is_folder(const std::string& path) const override {
    std::error_code code;
    return fs::is_directory(path, code);
  }

  Result<std::vector<std::string>> list(const std::string& folder) const override {
    std::error_code code;
    std::vector<std::string> names;
    fs::directory_iterator entries(folder, code);
    if (code)
      return file_error(ErrorCode::file_not_found, folder,
                        "the folder cannot be listed: " + code.message());
    for (const fs::directory_entry& entry : entries)
      names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
  }

 private:
  static Result<std::string> read_stream(std::istream& stream, const std::string& name,
                                         std::uint64_t limit) {
    constexpr std::size_t kChunk = 1 << 16;
    std::string content, chunk(kChunk, '\0');
    while (stream.read(chunk.data(), kChunk) || stream.gcount() > 0) {
      content.append(chunk, 0, static_cast<std::size_t>(stream.gcount()));
      if (content.size() > limit)
        return too_large(name, limit);
    }
    return content;
  }
};

}  // namespace

std::unique_ptr<FileSource> disk_files() {
  return std::make_unique<DiskFiles>();
}

Result<std::string> MemoryFiles::read(const std::string& path, std::uint64_t limit) const {
  const auto found = files_.find(path);
  if (found == files_.end())
    return file_error(ErrorCode::file_not_found, path, "no such file");
  if (found->second.size() > limit)
    return too_large(path, limit);
  return found->second;
}

Result<std::string> MemoryFiles::read_range(const std::string& path, std::uint64_t offset,
                                            std::uint64_t length) const {
  const auto found = files_.find(path);
  if (found == files_.end())
    return file_error(ErrorCode::file_not_found, path, "no such file");
  if (offset >= found->second.size())
    return std::string{};
  return found->second.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(length));
}

Result<std::uint64_t> MemoryFiles::size(const std::string& path) const {
  const auto found = files_.find(path);
  if (found == files_.end())
    return file_error(ErrorCode::file_not_found, path, "no such file");
  return static_cast<std::uint64_t>(found->second.size());
}

bool MemoryFiles::is_file(const std::string& path) const {
  return files_.contains(path);
}

bool MemoryFiles::is_folder(const std::string& path) const {
  const std::string prefix = path.ends_with('/') ? path : path + "/";
  const auto found = files_.lower_bound(prefix);
  return found != files_.end() && found->first.starts_with(prefix);
}

Result<std::vector<std::string>> MemoryFiles::list(const std::string& folder) const {
  if (!is_folder(folder))
    return file_error(ErrorCode::file_not_found, folder, "no such folder");
  const std::string prefix = folder.ends_with('/') ? folder : folder + "/";
  std::set<std::string> names;
  for (auto entry = files_.lower_bound(prefix);
       entry != files_.end() && entry->first.starts_with(prefix); ++entry) {
    const std::string rest = entry->first.substr(prefix.size());
    names.insert(rest.substr(0, rest.find('/')));
  }
  return std::vector<std::string>(names.begin(), names.end());
}

}  // namespace gpu_advisor::support
