/// Timing of messages in a gradient's row, from router to router and into the PEs.
#pragma once

#include <cstddef>
#include <vector>

namespace weft::planning {

/// Covers all simulated columns. The state for a message is contiguous over the columns, since each message passes
/// through all of them and the alternating rows exceed the caches by far.
class RowLinks {
 public:
  /// `turns`: messages arrive from the east. `stands_for`: number of columns that each simulated column represents.
  RowLinks(std::size_t columns, bool turns, double stands_for);

  void begin_output() { messages_ = 0; }
  /// Adds a message of output `o` that arrives at time `at`. `index`: false for the command after the indices. Returns
  /// the time at which the first router has passed the message on.
  double message(double at, std::size_t o, bool index);

  /// Messages of this output so far: its indices, and the command after them.
  std::size_t messages() const { return messages_; }
  double arrived(std::size_t message, std::size_t column) const { return arrived_[message * columns_ + column]; }
  /// Time at which main was done with dy of output `o` - 2.
  double taken(std::size_t o, std::size_t column) const { return slot(kTaken + o % 2)[column]; }
  void take(std::size_t o, std::size_t column, double time) { slot(kTaken + o % 2)[column] = time; }
  /// Message `message` of this output, an index, is released at `time`: its group is done.
  void free(std::size_t message, std::size_t column, double time) {
    slot(kFreed + (indices_ - (messages_ - 1) + message) % kList)[column] = time;
  }

 private:
  static constexpr std::size_t kBuffer = 4;      ///< messages in a link, or between router and PE
  static constexpr std::size_t kLongest = 1024;  ///< cap on the messages in several links; more makes no difference
  static constexpr std::size_t kList = 32;       ///< indices that are gathered ahead
  /// Slots of times_: when the PE took the previous messages, and the last one; when outputs were done, as in taken();
  /// and when the group of each of the previous kList indices was done.
  static constexpr std::size_t kTook = 0, kLast = kTook + kBuffer, kTaken = kLast + 1, kFreed = kTaken + 2;

  double* slot(std::size_t n) { return &times_[n * columns_]; }
  const double* slot(std::size_t n) const { return &times_[n * columns_]; }

  std::size_t columns_, room_;
  bool turns_;
  double hop_;
  std::size_t all_ = 0, indices_ = 0, messages_ = 0;
  std::size_t next_ = 0;        ///< position in passed_, below room_
  std::vector<double> times_;   ///< [slot][column]
  std::vector<double> passed_;  ///< when the router passed on the previous room_ messages
  std::vector<double> arrived_;
};

}  // namespace weft::planning
