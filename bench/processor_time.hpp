/// Processor time of threads and processes, as the system counts it.
#pragma once

#include <sys/types.h>

namespace weft::bench {

/// Seconds of all threads of a process; 0: there is none.
double process_seconds(pid_t process);
/// Seconds of a thread of any process, in steps of the system's tick (10 ms); 0: there is none.
double thread_seconds(pid_t process, pid_t thread);
/// Seconds of a thread of this process, to the nanosecond; 0: there is none.
double own_thread_seconds(pid_t thread);
/// Seconds that all processors of the machine were busy since it started, in ticks.
double machine_seconds();

}  // namespace weft::bench
