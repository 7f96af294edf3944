// measure TIMES PROGRAM ARGUMENT...: runs a program so many times, output thrown away, and prints
// the median of its user and system CPU time and of its wall time, and the largest peak memory.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

struct Measurement {
  double user_ms = 0;
  double system_ms = 0;
  double wall_ms = 0;
  double peak_mib = 0;
  int status = 0;
};

double milliseconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
}

// Linux counts in KiB, macOS in bytes.
double mib(long peak) {
#if defined(__APPLE__)
  return static_cast<double>(peak) / 1048576;
#else
  return static_cast<double>(peak) / 1024;
#endif
}

Measurement run_once(char** words) {
  const auto begin = std::chrono::steady_clock::now();
  // vfork, because the peak memory of a forked child begins with that of its parent.
  const pid_t child = vfork();
  if (child == 0) {
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    execv(words[0], words);
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - begin;
  return {milliseconds(usage.ru_utime), milliseconds(usage.ru_stime), wall.count(),
          mib(usage.ru_maxrss), WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status)};
}

double median(std::vector<Measurement> all, double Measurement::*member) {
  std::ranges::sort(all, {}, member);
  return all.at(all.size() / 2).*member;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("measure TIMES PROGRAM ARGUMENT...\n", stderr);
    return 2;
  }
  std::vector<Measurement> all;
  for (int i = 0; i < std::max(1, std::atoi(argv[1])); ++i) {
    all.push_back(run_once(argv + 2));
  }
  const double peak = std::ranges::max(all, {}, &Measurement::peak_mib).peak_mib;
  std::printf("user %7.2f ms  system %6.2f ms  wall %7.2f ms  peak %6.1f MiB  exit %d\n",
              median(all, &Measurement::user_ms), median(all, &Measurement::system_ms),
              median(all, &Measurement::wall_ms), peak, all.front().status);
  return all.front().status == 127 ? 1 : 0;
}
