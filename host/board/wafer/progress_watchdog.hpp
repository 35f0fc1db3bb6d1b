/// Watchdog for a wafer on a board: decides from the STATUS frames that arrive while the host waits whether the wafer
/// makes progress (docs/reference/board_link.md).
///
/// Free of I/O: time and counts are passed in.
#pragma once

#include <cstdint>
#include <optional>

#include "host/board/link/device_info.hpp"
#include "host/board/link/sender.hpp"

namespace weft::board {

class ProgressWatchdog {
 public:
  /// Maximum cycles that a wafer may be awake without a message at its edge.
  static constexpr std::uint64_t kMostWork = 1 << 25;
  /// Minimum number of STATUS in which the same data is overdue, since a host that slept has seen few of them.
  static constexpr int kLeastLacks = 20;

  /// The host's state when a STATUS arrives.
  struct Host {
    Time now;
    std::uint64_t words = 0;    ///< words received from the board
    std::size_t waiting = 0;    ///< bytes of the stream not yet in a frame
    bool in_flight = false;     ///< some frames of the stream are not acknowledged
    bool confirms_all = false;  ///< the board had received the whole stream when it sent the STATUS
    bool awaits = false;        ///< the host waits for words
  };
  enum class Verdict {
    Progresses,
    Hangs,      ///< nothing is awake or in flight, and no message was taken since the previous STATUS
    NoTraffic,  ///< awake for kMostWork cycles without a message at its edge, although its words were taken
    Overdue,    ///< data for the host, or an acknowledgement, has been overdue for Session::kStall although STATUS
                ///< frames arrive
  };

  /// Evaluates the next STATUS. One with the same cycle count as the last is ignored.
  Verdict evaluate(const Status& status, const Host& host);
  /// Begins a session.
  void begin() { *this = {}; }

 private:
  bool lacks_traffic(const Status& status, std::uint64_t words);
  bool is_overdue(const Status& status, const Host& host);

  struct Seen {
    Status status;
    bool quiet = false;
    std::size_t waiting = 0;
  };
  struct Lacks {
    Time since;
    std::uint64_t words = 0, messages = 0;
    int times = 0;  // number of STATUS since then
  };
  std::optional<Seen> seen_;
  std::optional<Lacks> lacks_;
  std::optional<Status> works_;  // STATUS since which it has been awake without a message at its edge
};

}  // namespace weft::board
