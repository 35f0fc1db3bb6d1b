/// When messages reach a row: valves pass one a cycle, and stop while a row they pass has no room.
#pragma once

#include <cstddef>
#include <vector>

#include "host/appliance/estimate/lag.hpp"
#include "sw/machine/shape.hpp"

namespace weft {

inline constexpr std::size_t kRouterRoom = 10;  ///< messages between a valve and a row's router

/// Times are in cycles from the first message of a kernel's stream; rows must be asked in the stream's order.
class Supply {
 public:
  /// `room`: messages that a row has room for between its valve and where took() is told, if W does not turn around:
  /// then the links of the row hold as many more.
  Supply(const WaferShape& wafer, double start, std::size_t room);
  /// So many more.
  static std::size_t links(const WaferShape& wafer) {
    return wafer.w_turns() ? kLink * (static_cast<std::size_t>(wafer.cols) - 1) : 0;
  }

  /// The next message, for one row, which has taken all others: when it is there.
  double weight(int row);
  /// The next message, for all rows, which have taken all others: times()[r] is when row r has it.
  void command();
  const std::vector<double>& times() const { return there_; }
  /// Row r's kernel has taken its oldest message that it had not taken.
  void took(int row, double time);

 private:
  static constexpr double kPath = 8, kHop = 2;
  static constexpr std::size_t kLink = 4;  ///< messages of one
  int valve_of(int row) const { return valve_[static_cast<std::size_t>(row)]; }

  std::vector<Lag> taken_;  ///< [row] when its messages were
  std::vector<int> valve_, hops_;
  std::vector<double> valves_;  ///< when each passed its last message
  std::vector<double> there_;
};

}  // namespace weft
