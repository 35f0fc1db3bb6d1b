/// Traffic on the lines of a run's boards.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace weft::board {

/// Sums over all boards. Thread-safe.
struct LinkTraffic {
  std::atomic<std::uint64_t> micro_batches{0};
  std::atomic<std::uint64_t> down{0}, up{0};  ///< bytes on the line
  std::atomic<std::uint64_t> stream_down{0};  ///< bytes of records
  std::atomic<std::uint64_t> stream_up{0};
  std::atomic<std::uint64_t> messages{0};          ///< messages that the records encode
  std::atomic<std::uint64_t> frames{0}, again{0};  ///< sent by the host
  std::atomic<std::uint64_t> damaged{0};           ///< frames received damaged

  /// One line such as "link    1.20 MB down, 0.30 MB up, ..."; empty if there was no board.
  std::string text() const;
};

}  // namespace weft::board
