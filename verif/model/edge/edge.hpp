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
  /// Distributes the run's data messages. `end(row)`: a reference to the pointer to where the row's next one is
  /// written, which moves on.
  template <class End>
  void distribute(const machine::StreamPiece::Run& run, End end) {
    messages_ += run.destinations.size();
    if (run.values == nullptr)
      stretches<false>(run.destinations, nullptr, end);
    else
      stretches<true>(run.destinations, run.values, end);
  }
  std::uint64_t messages() const { return messages_; }
  /// Sticky: a message addressed no row. The flag is set in the edge cell of the last row, where such a message leaves.
  bool no_row() const { return no_row_; }
  void reset() { messages_ = 0, no_row_ = false; }

 private:
  /// Consecutive messages of one row together.
  template <bool Valued, class End>
  void stretches(std::span<const std::uint32_t> destinations, const std::uint16_t* values, End end) {
    const auto row_of = [shift = shift_](std::uint32_t word) { return word >> 16 >> shift; };
    const auto rows = static_cast<std::uint32_t>(rows_);
    const std::uint32_t* const words = destinations.data();
    const std::size_t size = destinations.size();
    for (std::size_t k = 0; k < size;) {
      const std::uint32_t row = row_of(words[k]);
      if (row >= rows) {
        no_row_ = true, ++k;
        continue;
      }
      std::uint32_t*& end_of_row = end(row);
      std::uint32_t* to = end_of_row;
      do {
        *to++ = words[k] | (Valued ? values[k] : 0U);
      } while (++k < size && row_of(words[k]) == row);
      end_of_row = to;
    }
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
