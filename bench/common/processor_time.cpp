#include "bench/common/processor_time.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <ctime>
#include <fstream>
#include <limits>
#include <string>

namespace weft::bench {
namespace {

double seconds_of(clockid_t clock) {
  timespec time{};
  if (::clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double of_ticks(double ticks) { return ticks / static_cast<double>(::sysconf(_SC_CLK_TCK)); }

}  // namespace

double process_seconds(pid_t process) {
  clockid_t clock{};
  return ::clock_getcpuclockid(process, &clock) == 0 ? seconds_of(clock) : 0;
}

double thread_seconds(pid_t process, pid_t thread) {
  std::ifstream file(fmt::format("/proc/{}/task/{}/stat", process, thread));
  file.ignore(std::numeric_limits<std::streamsize>::max(), ')');  // the name may contain spaces
  std::string skipped;
  for (int field = 3; field < 14; ++field) file >> skipped;
  double user = 0, system = 0;
  file >> user >> system;
  return of_ticks(user + system);
}

double own_thread_seconds(pid_t thread) {
  // Clock id of a thread, encoded as in clock_gettime(2) and the kernel's posix-timers_types.h; pthreads offers no
  // conversion from a thread id.
  return seconds_of(static_cast<clockid_t>(~static_cast<unsigned>(thread) << 3 | 6U));
}

double machine_seconds() {
  std::ifstream file("/proc/stat");
  std::string name;
  double user = 0, nice = 0, system = 0, idle = 0, waits = 0, interrupts = 0, soft = 0;
  file >> name >> user >> nice >> system >> idle >> waits >> interrupts >> soft;
  return of_ticks(user + nice + system + interrupts + soft);
}

}  // namespace weft::bench
