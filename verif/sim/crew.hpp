/// Several threads for one short piece of work, again and again: a clock cycle of a large wafer takes microseconds.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "sw/base/failure.hpp"

namespace weft {

/// The work has parts. Part 0 is the caller's; each other has a thread that looks out for it for a while, then sleeps.
///
/// Nobody waits for a thread that is not there: what a helper has not begun when the caller has done his own, the
/// caller does, too. A helper that begins and then loses its core is waited for; after that the caller works alone for
/// a while, the longer the oftener it happens. So on a machine that has no core to spare it is as with one thread.
class Crew {
 public:
  /// `work(part)` is called with 0 .. parts - 1, at the same time, by whatever thread. Where the system has no thread,
  /// the caller does that part.
  Crew(int parts, std::function<void(int)> work);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  /// Does every part once; all that was written before is seen by them, and all that they write is seen afterwards.
  /// Throws what a part threw.
  void run();

  /// Parts that helpers have done.
  std::uint64_t helped() const { return helped_; }

 private:
  enum State : std::uint32_t { kIdle, kOpen, kTaken, kDone, kEnding };

  struct alignas(64) Helper {
    std::atomic<std::uint32_t> state = kIdle;
    int part = 0;
    std::jthread thread = {};
  };

  void serve(Helper& helper);
  /// Until the helper is done; false if it took so long that it has no core.
  static bool await(const Helper& helper);

  std::function<void(int)> work_;
  std::uint64_t helped_ = 0;
  std::uint32_t alone_ = 0;  ///< runs from now on without helpers
  std::uint32_t next_ = 0;   ///< that there will be after the next delay
  FirstFailure failure_;
  std::vector<std::unique_ptr<Helper>> helpers_;  ///< last: their threads end before what they use
};

}  // namespace weft
