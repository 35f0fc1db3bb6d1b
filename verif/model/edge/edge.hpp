/// The west edge: incoming and outgoing messages.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sw/machine/message.hpp"
#include "sw/machine/shape.hpp"
#include "sw/machine/stream_piece.hpp"

namespace weft::model {

/// Distribution of messages by the intake (docs/reference/message.md, Edges).
class Intake {
 public:
  explicit Intake(const machine::WaferShape& shape)
      : rows_(shape.rows), valves_(shape.valves), shift_(shape.row_shift()) {}

  /// Calls to_all(n, word) for control messages, where n messages of `messages` precede the call, and to_row(row, word)
  /// for data messages, in order, and counts the messages. Stops after a control message for which to_all returns
  /// false, or after the last message. Returns the number of messages distributed.
  template <class ToAll, class ToRow>
  std::size_t distribute(std::span<const machine::Message> messages, ToAll to_all, ToRow to_row) {
    const int rows = rows_, shift = shift_;
    std::uint64_t controls = 0;
    bool no_row = false;
    std::size_t n = 0;
    for (bool more = true; more && n < messages.size(); ++n) {
      const machine::Message& m = messages[n];
      const int row = static_cast<int>(m.data >> 16 >> shift);
      if (m.ctrl)
        ++controls, more = to_all(n, m.data);
      else if (row < rows)
        to_row(static_cast<std::size_t>(row), m.data);
      else
        no_row = true;
    }
    messages_ += n + controls * static_cast<unsigned>(valves_ - 1);  // every valve gets the commands
    no_row_ |= no_row;
    return n;
  }
  /// Distributes the run's data messages.
  template <class ToRow>
  void distribute(const machine::StreamPiece::Run& run, ToRow to_row) {
    messages_ += run.destinations.size();
    if (run.values == nullptr)
      return each(
          run.destinations, [](std::size_t) { return std::uint32_t{0}; }, to_row);
    each(
        run.destinations, [values = run.values](std::size_t k) { return std::uint32_t{values[k]}; }, to_row);
  }
  std::uint64_t messages() const { return messages_; }
  /// Sticky: a message addressed no row. The flag is set in the edge cell of the last row, where such a message leaves.
  bool no_row() const { return no_row_; }
  void reset() { messages_ = 0, no_row_ = false; }

 private:
  template <class Value, class ToRow>
  void each(std::span<const std::uint32_t> destinations, Value value, ToRow to_row) {
    const int rows = rows_, shift = shift_;
    bool no_row = false;
    for (std::size_t k = 0; k < destinations.size(); ++k) {
      const int row = static_cast<int>(destinations[k] >> 16 >> shift);
      if (row < rows)
        to_row(static_cast<std::size_t>(row), destinations[k] | value(k));
      else
        no_row = true;
    }
    no_row_ |= no_row;
  }

  int rows_, valves_, shift_;
  std::uint64_t messages_ = 0;
  bool no_row_ = false;
};

/// Words delivered by the outlets.
struct Outlets {
  explicit Outlets(int rows)
      : words(static_cast<std::size_t>(rows)), delivered(words.size()), waited_for(words.size()) {}

  std::vector<std::vector<std::uint32_t>> words;  ///< [row], until a caller clears them
  std::vector<std::uint64_t> delivered;           ///< [row], number of words since construction or reset
  std::vector<std::uint64_t> waited_for;          ///< [row], `delivered` at the host's last wait

  void reset() { *this = Outlets(static_cast<int>(words.size())); }
};

}  // namespace weft::model
