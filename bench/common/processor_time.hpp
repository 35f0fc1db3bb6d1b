/// Processor time of threads and processes, from the operating system.
#pragma once

#include <sys/types.h>

namespace weft::bench {

/// Processor seconds of all threads of a process; 0 if it does not exist.
double process_seconds(pid_t process);
/// Processor seconds of a thread of any process, in system ticks (10 ms); 0 if it does not exist.
double thread_seconds(pid_t process, pid_t thread);
/// Processor seconds of a thread of this process, with nanosecond resolution; 0 if it does not exist.
double own_thread_seconds(pid_t thread);
/// Seconds that all processors of the machine were busy since boot, in ticks.
double machine_seconds();

}  // namespace weft::bench
