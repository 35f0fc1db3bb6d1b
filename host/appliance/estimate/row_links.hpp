/// A gradient's row as messages see it, from router to router and into the PEs.
#pragma once

#include <cstddef>
#include <vector>

namespace weft {

/// Of all columns that are followed: what each does next with a message stands side by side, since every message goes
/// through all of them, and rows that take turns are far more than caches hold.
class RowLinks {
 public:
  /// `turns`: messages come from the east. `stands_for`: columns, of each that is followed.
  RowLinks(std::size_t columns, bool turns, double stands_for);

  void begin_output() { messages_ = 0; }
  /// A message of output `o` comes at `at`; `index`: not the command behind them. When the first router has passed it
  /// on.
  double message(double at, std::size_t o, bool index);

  /// Of this output: its indices, and the command behind them.
  std::size_t messages() const { return messages_; }
  double arrived(std::size_t message, std::size_t column) const { return arrived_[message * columns_ + column]; }
  /// When main had done with the dy of the output that was two before `o`.
  double taken(std::size_t o, std::size_t column) const { return slot(kTaken + o % 2)[column]; }
  void take(std::size_t o, std::size_t column, double time) { slot(kTaken + o % 2)[column] = time; }
  /// Message `message` of this output is an index, and its group is done.
  void free(std::size_t message, std::size_t column, double time) {
    slot(kFreed + (indices_ - (messages_ - 1) + message) % kList)[column] = time;
  }

 private:
  static constexpr std::size_t kBuffer = 4;      ///< messages of a link, or between router and PE
  static constexpr std::size_t kLongest = 1024;  ///< of many links: as good as any number
  static constexpr std::size_t kList = 32;       ///< indices that are gathered ahead
  /// Where in times_: when the PE took the messages before, the last one, outputs as taken() says, and when the group
  /// of the index so many before was done.
  static constexpr std::size_t kTook = 0, kLast = kTook + kBuffer, kTaken = kLast + 1, kFreed = kTaken + 2;

  double* slot(std::size_t n) { return &times_[n * columns_]; }
  const double* slot(std::size_t n) const { return &times_[n * columns_]; }

  std::size_t columns_, room_;
  bool turns_;
  double hop_;
  std::size_t all_ = 0, indices_ = 0, messages_ = 0;
  std::size_t next_ = 0;        ///< in passed_, of room_
  std::vector<double> times_;   ///< [slot][column]
  std::vector<double> passed_;  ///< messages before: when the router had passed them on
  std::vector<double> arrived_;
};

}  // namespace weft
