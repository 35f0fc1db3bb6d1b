/// Arrival times of messages at the rows. Valves send one message per cycle and stall while an addressed row has no
/// room.
#pragma once

#include <cstddef>
#include <vector>

#include "host/planning/estimate/delay_line.hpp"
#include "sw/machine/shape.hpp"

namespace weft {

inline constexpr std::size_t kRouterRoom = 10;  ///< messages between a valve and a row's router

/// Times are in cycles from the first message of a kernel's stream. Calls must follow the stream's order.
class Supply {
 public:
  /// `room`: messages for which a row has room between its valve and the point at which took() is called, if W does not
  /// turn around. If W does, the links of the row add to it.
  Supply(const WaferShape& wafer, double start, std::size_t room);
  /// Additional room in the links of a row.
  static std::size_t links(const WaferShape& wafer) {
    return wafer.w_turns() ? kLink * (static_cast<std::size_t>(wafer.cols) - 1) : 0;
  }

  /// Arrival time of the next message, which is for one row. took() must have been called for all earlier messages of
  /// that row.
  double weight(int row);
  /// Sends the next message to all rows; times()[r] is its arrival time at row r. took() must have been called for all
  /// earlier messages.
  void command();
  const std::vector<double>& times() const { return there_; }
  /// The kernel of row `row` has taken its oldest outstanding message.
  void took(int row, double time);

 private:
  static constexpr double kPath = 8, kHop = 2;
  static constexpr std::size_t kLink = 4;  ///< messages per link
  int valve_of(int row) const { return valve_[static_cast<std::size_t>(row)]; }

  std::vector<Lag> taken_;  ///< [row]: when its messages were taken
  std::vector<int> valve_, hops_;
  std::vector<double> valves_;  ///< [valve]: when it sent its last message
  std::vector<double> there_;
};

}  // namespace weft
