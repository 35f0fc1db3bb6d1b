/// Whether a wafer on a board goes on, by the STATUS that the board sends while the host waits (docs/board_link.md).
///
/// Pure: time and counts are told.
#pragma once

#include <cstdint>
#include <optional>

#include "host/board/about.hpp"
#include "host/board/sender.hpp"

namespace weft::board {

class Watch {
 public:
  /// Cycles that a wafer may be awake without a message at its edge.
  static constexpr std::uint64_t kMostWork = 1 << 25;
  /// A host that slept has seen few STATUS: so many in which the same is due, however late it is.
  static constexpr int kLeastLacks = 20;

  /// What the host knows when a STATUS comes.
  struct Host {
    Time now;
    std::uint64_t words = 0;    ///< that have come from the board
    std::size_t waiting = 0;    ///< bytes of the stream that no frame has yet
    bool in_flight = false;     ///< frames of the stream are not confirmed
    bool confirms_all = false;  ///< the STATUS is of a board that had the whole stream
    bool awaits = false;        ///< words
  };
  enum class Verdict {
    GoesOn,
    Stands,     ///< nothing is awake, nothing is on its way, and no message was taken since the STATUS before
    WorksOn,    ///< awake for kMostWork cycles without a message at its edge, and not because nobody took its words
    KeepsBack,  ///< what it has for the host, or should have heard, has not come for Session::kStall, though STATUS
                ///< does
  };

  /// Of the next STATUS; one that was seen already, by its cycles, tells nothing.
  Verdict see(const Status& status, const Host& host);
  /// A session begins.
  void begin() { *this = {}; }

 private:
  bool works_on(const Status& status, std::uint64_t words);
  bool keeps_back(const Status& status, const Host& host);

  struct Seen {
    Status status;
    bool quiet = false;
    std::size_t waiting = 0;
  };
  struct Lacks {
    Time since;
    std::uint64_t words = 0, messages = 0;
    int times = 0;  // STATUS since
  };
  std::optional<Seen> seen_;
  std::optional<Lacks> lacks_;
  std::optional<Status> works_;  // since when it has been awake without a message at its edge
};

}  // namespace weft::board
