#include "forerun/load/bench_process.hpp"

#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <ctime>

namespace forerun::load {

double cpu_time() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

double resident_bytes() {
  long pages = 0, resident = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = 0;
    std::fclose(file);
  }
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

// One process on one core: this one, from here on. The cores are counted round.
static void stay_on_core(int core) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(core % static_cast<int>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN))), &cores);
  sched_setaffinity(0, sizeof cores, &cores);
}

pid_t start_beside(const std::function<void()>& work) {
  const pid_t child = fork();
  if (child != 0) {
    stay_on_core(0);
    return child;
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  stay_on_core(1);
  work();
  _exit(0);
}

}  // namespace forerun::load
