/// Messages that a valve has sent before the wafer takes them.
#pragma once

#include <algorithm>

#include "host/appliance/estimate/supply.hpp"
#include "host/appliance/estimate/traffic.hpp"

namespace weft {

/// While the wafer is at an op that needs few messages its valves send those of the next one, as far as rows have room.
/// An op that waits for a valve most of its time has less to wait for then.
class Ahead {
 public:
  /// How many of an op's messages pass its fullest valve before the fullest row takes one.
  static double room(const OpTraffic& traffic, const WaferShape& wafer) {
    const auto row = static_cast<double>(kRouterRoom + Supply::links(wafer));
    const double most = static_cast<double>(traffic.commands + *std::ranges::max_element(traffic.weights));
    return std::max(1.0, static_cast<double>(traffic.fullest_valve(wafer)) / std::max(most, 1.0)) * row;
  }

  /// The next op: what it takes of `cycles` behind another one, `rest` more alone, and `fed` alone if each row had a
  /// valve of its own; `messages` go through its fullest valve, and there is `room` for so many of them. An op behind
  /// another has its first `rest` messages.
  double take(double messages, double room, double cycles, double rest, double fed) {
    const double saved = std::max(0.0, std::min({free_, room, cycles + rest - fed}) - rest);
    const double takes = cycles - saved;
    // If there is room for all of them they were sent while the wafer was at the op before, else the last are as it
    // takes those before.
    free_ = messages <= room ? std::min(free_, before_) + takes - messages
                             : std::min(free_ + takes - messages, takes * room / messages);
    free_ = std::max(free_, 0.0);
    before_ = takes;
    return takes;
  }

 private:
  double free_ = 0;    ///< for so long the valve has had no message of the op before
  double before_ = 0;  ///< cycles of that op
};

}  // namespace weft
