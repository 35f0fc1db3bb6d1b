/// Messages that a valve sends ahead, before the wafer takes them.
#pragma once

#include <algorithm>

#include "host/planning/estimate/arrival_times.hpp"
#include "host/planning/estimate/traffic.hpp"

namespace weft::planning {

/// Models prefetching: while the wafer executes an op that needs few messages, its valves send messages of the next op
/// as far as the rows have room. An op that is mostly bound by a valve then waits less.
class Prefetch {
 public:
  /// Number of an op's messages that can pass its busiest valve before the busiest row takes one.
  static double room(const OpTraffic& traffic, const machine::WaferShape& wafer) {
    const auto row = static_cast<double>(kRouterRoom + ArrivalTimes::link_room(wafer));
    const double most = static_cast<double>(traffic.commands + *std::ranges::max_element(traffic.weights));
    return std::max(1.0, static_cast<double>(traffic.fullest_valve(wafer)) / std::max(most, 1.0)) * row;
  }

  /// Advances to the next op and returns its cycles. `cycles`: its cycles after another op; `rest`: additional cycles
  /// if it ran alone; `fed`: cycles alone if each row had its own valve. `messages` pass its busiest valve, with `room`
  /// for that many ahead. An op after another one already has its first `rest` messages.
  double next_op(double messages, double room, double cycles, double rest, double fed) {
    const double saved = std::max(0.0, std::min({free_, room, cycles + rest - fed}) - rest);
    const double takes = cycles - saved;
    // If all messages fit ahead, they were sent during the previous op. Otherwise the last ones are sent as the wafer
    // takes earlier ones.
    free_ = messages <= room ? std::min(free_, before_) + takes - messages
                             : std::min(free_ + takes - messages, takes * room / messages);
    free_ = std::max(free_, 0.0);
    before_ = takes;
    return takes;
  }

 private:
  double free_ = 0;    ///< cycles for which the valve has had no more messages of the previous op
  double before_ = 0;  ///< cycles of the previous op
};

}  // namespace weft::planning
