#include <cstdlib>
#include <ctime>
#include <exception>
#include <iostream>
#include <sys/ioctl.h>
#include <unistd.h>

#include "gpu_advisor/commands/program.hpp"

namespace {

using namespace gpu_advisor;

constexpr int kInternalError = 4;

std::optional<std::string> environment(std::string_view name) {
  const char* value = std::getenv(std::string(name).c_str());
  if (value == nullptr)
    return std::nullopt;
  return value;
}

/// The day that price ages count from; fixed by the environment where answers must not change.
catalog::Date today() {
  if (const auto fixed = environment("GPU_ADVISOR_TODAY"))
    if (const auto date = catalog::parse_date(*fixed))
      return *date;
  const std::time_t now = std::time(nullptr);
  std::tm day{};
  gmtime_r(&now, &day);
  return {day.tm_year + 1900, day.tm_mon + 1, day.tm_mday};
}

int terminal_width() {
  if (const auto columns = environment("COLUMNS"))
    if (const int width = std::atoi(columns->c_str()); width > 0)
      return width;
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

int main(int count, char** words) {
  std::ios::sync_with_stdio(false);
  try {
    const auto files = support::disk_files();
    return commands::run_program({words + 1, words + count},
                                 {*files, std::cin, std::cout, std::cerr, environment, today(),
                                  isatty(STDOUT_FILENO) == 1, terminal_width()});
  } catch (const std::exception& error) {
    std::cerr << "gpu-advisor: internal error: " << error.what() << '\n';
    return kInternalError;
  }
}
