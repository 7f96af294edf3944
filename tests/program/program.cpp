#include "program/program.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace gpu_advisor::test {
namespace {

struct Pipe {
  int read_end = -1;
  int write_end = -1;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) {
    throw std::runtime_error("cannot make a pipe");
  }
  for (const int end : ends) {
    fcntl(end, F_SETFD, FD_CLOEXEC);
  }
  return {ends.at(0), ends.at(1)};
}

std::vector<std::string> environment_lines(const std::map<std::string, std::string>& given) {
  std::map<std::string, std::string> all = clean_environment();
  for (const auto& [name, value] : given) {
    all[name] = value;
  }
  std::vector<std::string> lines;
  for (const auto& [name, value] : all) {
    lines.push_back(name + "=" + value);
  }
  return lines;
}

std::vector<char*> pointers(std::vector<std::string>& lines) {
  std::vector<char*> result;
  for (std::string& line : lines) {
    result.push_back(line.data());
  }
  result.push_back(nullptr);
  return result;
}

// In the child, between fork and exec: only calls that are safe there.
[[noreturn]] void become(const std::string& folder, char* const* words, char* const* environment,
                         const std::array<int, 3>& streams) {
  for (int i = 0; i < 3; ++i) {
    dup2(streams.at(static_cast<std::size_t>(i)), i);
  }
  if (!folder.empty() && chdir(folder.c_str()) != 0) {
    _exit(127);
  }
  execve(words[0], words, environment);
  _exit(127);
}

// Returns false at the end of the stream.
bool read_some(int stream, std::string& text) {
  std::array<char, 65536> buffer{};
  const ssize_t count = read(stream, buffer.data(), buffer.size());
  if (count > 0) {
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return count > 0 || (count < 0 && errno == EINTR);
}

// No more than a ready pipe takes for sure, or both sides could wait for each other.
bool write_some(int stream, std::string_view& text) {
  constexpr std::size_t kAlwaysTaken = PIPE_BUF;
  const ssize_t count = write(stream, text.data(), std::min(text.size(), kAlwaysTaken));
  if (count > 0) {
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return count > 0 && !text.empty();
}

void exchange(int input, int output, int error, std::string_view text, Outcome& outcome) {
  std::array<pollfd, 3> waits = {pollfd{output, POLLIN, 0}, pollfd{error, POLLIN, 0},
                                 pollfd{input, POLLOUT, 0}};
  const auto close_at = [&waits](std::size_t i) {
    close(waits.at(i).fd);
    waits.at(i).fd = -1;
  };
  if (text.empty()) {
    close_at(2);
  }
  while (waits.at(0).fd >= 0 || waits.at(1).fd >= 0) {
    if (poll(waits.data(), waits.size(), -1) < 0) {
      continue;
    }
    if (waits.at(0).revents != 0 && !read_some(output, outcome.output)) {
      close_at(0);
    }
    if (waits.at(1).revents != 0 && !read_some(error, outcome.error)) {
      close_at(1);
    }
    if (waits.at(2).fd >= 0 && waits.at(2).revents != 0 && !write_some(input, text)) {
      close_at(2);
    }
  }
  if (waits.at(2).fd >= 0) {
    close_at(2);
  }
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

std::map<std::string, std::string> clean_environment() {
  std::map<std::string, std::string> result = {
      {"GPU_ADVISOR_TODAY", "2026-08-01"},
      {"HOME", "/nonexistent"},
      {"LC_ALL", "C.UTF-8"},
      {"PATH", "/usr/bin:/bin"},
      {"XDG_CONFIG_HOME", "/nonexistent"},
      {"XDG_DATA_HOME", "/nonexistent"},
  };
  for (const char* name : {"ASAN_OPTIONS", "UBSAN_OPTIONS", "LLVM_PROFILE_FILE"}) {
    if (const char* value = std::getenv(name)) {
      result[name] = value;
    }
  }
  return result;
}

Outcome run_program(const Invocation& invocation) {
  std::vector<std::string> words = invocation.words;
  std::vector<std::string> environment = environment_lines(invocation.environment);
  const std::vector<char*> word_pointers = pointers(words);
  const std::vector<char*> environment_pointers = pointers(environment);
  const Pipe input = make_pipe();
  const Pipe output = make_pipe();
  const Pipe error = make_pipe();
  // A program that does not read its input must not end the test.
  std::signal(SIGPIPE, SIG_IGN);
  const pid_t child = fork();
  if (child < 0) {
    throw std::runtime_error(std::string("cannot fork: ") + std::strerror(errno));
  }
  if (child == 0) {
    std::signal(SIGPIPE, SIG_DFL);
    become(invocation.folder, word_pointers.data(), environment_pointers.data(),
           {input.read_end, output.write_end, error.write_end});
  }
  close(input.read_end);
  close(output.write_end);
  close(error.write_end);
  Outcome outcome;
  exchange(input.write_end, output.read_end, error.read_end, invocation.input, outcome);
  outcome.status = wait_for(child);
  if (outcome.status == 127) {
    throw std::runtime_error("cannot start " + invocation.words.at(0));
  }
  return outcome;
}

std::vector<std::string> split_words(std::string_view line) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = '\0';
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const bool is_space = quote == '\0' && (c == ' ' || c == '\t' || c == '\n');
    if (is_space) {
      in_word = false;
      continue;
    }
    if (!in_word) {
      words.emplace_back();
      in_word = true;
    }
    if (c == quote) {
      quote = '\0';
    } else if (quote == '\0' && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == '\\' && quote != '\'' && i + 1 < line.size()) {
      words.back() += line[++i];
    } else {
      words.back() += c;
    }
  }
  if (quote != '\0') {
    throw std::runtime_error("a quote is left open: " + std::string(line));
  }
  return words;
}

}  // namespace gpu_advisor::test
