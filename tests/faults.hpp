/// Fault injection for test programs that link tests/faults.cpp: out of memory, no more threads.
#pragma once

#include <cstdint>

namespace weft::test {

enum class Fault {
  None,
  Once,     ///< only the n-th request fails
  ForEver,  ///< the n-th request and all later ones fail
};

/// From this call on, requests of all threads are counted from 1 and fail as `fault` says. Fault::None: none fails.
void fail_memory(Fault fault, std::uint64_t n = 0);   ///< operator new
void fail_threads(Fault fault, std::uint64_t n = 0);  ///< pthread_create

/// Makes memory requests fail as for fail_memory() during its lifetime.
class NoMemory {
 public:
  NoMemory(Fault fault, std::uint64_t n) { fail_memory(fault, n); }
  ~NoMemory() { fail_memory(Fault::None); }
  NoMemory(const NoMemory&) = delete;
  NoMemory& operator=(const NoMemory&) = delete;
};
class NoThread {
 public:
  NoThread(Fault fault, std::uint64_t n) { fail_threads(fault, n); }
  ~NoThread() { fail_threads(Fault::None); }
  NoThread(const NoThread&) = delete;
  NoThread& operator=(const NoThread&) = delete;
};

}  // namespace weft::test
