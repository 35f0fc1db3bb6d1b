/// Arrival times of messages at the rows. Valves send one message per cycle and stall while an addressed row has no
/// room.
#pragma once

#include <cstddef>
#include <vector>

#include "sw/machine/shape.hpp"

namespace weft::planning {

inline constexpr std::size_t kRouterRoom = 10;  ///< messages between a valve and a row's router

/// Delay lines of all rows: the time of a row's event `room` events ago. Models the capacity of queues as their
/// producer sees it.
///
/// Allocates for the events pushed, not for `room`: the links of a long row hold more than a sample sends. The events
/// of different rows with the same number are neighbors, since rows have their events in turns and exceed the caches.
class DelayLines {
 public:
  /// `room` must be above 0.
  DelayLines(std::size_t rows, std::size_t room) : room_(room), rows_(rows) {}

  /// Time of the row's push `room` pushes ago; 0 if there was none.
  double oldest(std::size_t row) const { return rows_[row].full ? times_[rows_[row].next * rows_.size() + row] : 0; }
  void push(std::size_t row, double time) {
    Row& r = rows_[row];
    const std::size_t at = r.next * rows_.size() + row;
    if (at >= times_.size()) times_.resize((r.next + 1) * rows_.size());
    times_[at] = time;
    if (++r.next == room_) r.next = 0, r.full = true;
  }

 private:
  struct Row {
    std::size_t next = 0;  ///< below room_
    bool full = false;     ///< there were room_ pushes
  };

  std::size_t room_;
  std::vector<Row> rows_;
  std::vector<double> times_;  ///< [push modulo room_][row]
};

/// Times are in cycles from the first message of a kernel's stream. Calls must follow the stream's order.
class ArrivalTimes {
 public:
  /// `room`: messages for which a row has room between its valve and the point at which set_taken() is called, if W
  /// does not turn around. If W does, the links of the row add to it.
  ArrivalTimes(const machine::WaferShape& wafer, double start, std::size_t room);
  /// Additional room, in messages, in the links of a row.
  static std::size_t link_room(const machine::WaferShape& wafer) {
    return wafer.w_turns() ? kLink * (static_cast<std::size_t>(wafer.cols) - 1) : 0;
  }

  /// Arrival time of the next message, which is for one row. set_taken() must have been called for all earlier messages
  /// of that row.
  double next_weight(int row);
  /// Sends the next message to all rows; times()[r] is its arrival time at row r. set_taken() must have been called for
  /// all earlier messages.
  void next_command();
  const std::vector<double>& times() const { return there_; }
  /// The kernel of row `row` has taken its oldest outstanding message.
  void set_taken(int row, double time);

 private:
  static constexpr double kPath = 8, kHop = 2;
  static constexpr std::size_t kLink = 4;  ///< messages per link
  int valve_of(int row) const { return valve_[static_cast<std::size_t>(row)]; }

  DelayLines taken_;  ///< [row]: when its messages were taken
  std::vector<int> valve_, hops_;
  std::vector<double> valves_;  ///< [valve]: when it sent its last message
  std::vector<double> there_;
};

}  // namespace weft::planning
