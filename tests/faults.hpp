/// Faults of the system, for programs of tests that link tests/faults.cpp: no memory, no thread.
#pragma once

#include <cstdint>

namespace weft::test {

enum class Fault {
  None,
  Once,     ///< the n-th request fails; those after it succeed
  ForEver,  ///< so do all after it
};

/// From now on requests of all threads are counted from 1, and fail from the n-th on. Fault::None: none does.
void fail_memory(Fault fault, std::uint64_t n = 0);   ///< operator new
void fail_threads(Fault fault, std::uint64_t n = 0);  ///< pthread_create

/// Fails the n-th request while it lives.
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
