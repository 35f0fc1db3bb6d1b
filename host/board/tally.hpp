/// What went over the lines of a run's boards.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace weft::board {

/// Sums over all boards; any thread may add.
struct Tally {
  std::atomic<std::uint64_t> micro_batches{0};
  std::atomic<std::uint64_t> down{0}, up{0};  ///< bytes on the line
  std::atomic<std::uint64_t> stream_down{0};  ///< bytes of records
  std::atomic<std::uint64_t> stream_up{0};
  std::atomic<std::uint64_t> messages{0};          ///< that the records stand for
  std::atomic<std::uint64_t> frames{0}, again{0};  ///< sent by the host
  std::atomic<std::uint64_t> damaged{0};           ///< frames that came so

  /// "link    1.20 MB down, 0.30 MB up, ...": a line, or nothing if there was no board.
  std::string text() const;
};

}  // namespace weft::board
