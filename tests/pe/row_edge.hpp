/// The west edge of one row of tiles: a test's model of an intake and an outlet.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "sw/machine/message.hpp"

namespace weft::test {

/// The signals of one side of a link in a cycle.
struct Link {
  bool valid = false;
  std::uint64_t msg = 0;
  std::uint8_t credit = 0;  ///< for messages of the neighbour
};

/// The intake sends the queued messages as credits allow. The outlet takes all messages, unless it is held.
struct RowEdge {
  std::deque<machine::Message> intake;
  std::vector<std::uint32_t> outlet;   ///< in order of arrival
  bool hold = false;                   ///< returns no credits
  std::optional<std::uint64_t> stray;  ///< sent first, without checks

  bool has_more() const { return !intake.empty() && credits_ > 0; }

  /// Advances by one cycle: takes the output of the row's first tile, and returns its input.
  Link exchange(const Link& from) {
    Link to;
    if (from.valid) {
      outlet.push_back(static_cast<std::uint32_t>(from.msg));
      owed_.push_back(static_cast<std::uint8_t>(1 << (from.msg >> 32 & 31)));
    }
    if (!hold && !owed_.empty()) {
      to.credit = owed_.front();
      owed_.pop_front();
    }
    credits_ += from.credit & 1;
    if (stray) {
      to.valid = true;
      to.msg = *stray;
      stray.reset();
    } else if (has_more()) {
      --credits_;
      to.valid = true;
      to.msg = static_cast<std::uint64_t>(intake.front().ctrl) << 37 | intake.front().data;
      intake.pop_front();
    }
    return to;
  }

 private:
  int credits_ = 4;
  std::deque<std::uint8_t> owed_;
};

}  // namespace weft::test
