/// Record of the messages that the host has sent to a board's valve. Together with the fill levels of the queues, it
/// determines each waiting message, and the parts of a tile that only commands write (program, routes).
#pragma once

#include <deque>
#include <span>
#include <vector>

#include "host/board/debug/node_status.hpp"
#include "sw/machine/message.hpp"

namespace weft::board {

class StreamRecord {
 public:
  /// Keeps `most` messages; older ones count as taken. A board never has more waiting.
  explicit StreamRecord(const machine::WaferShape& shape, std::size_t most = std::size_t{1} << 20);

  /// Begins a new session. Programs stay, as in the wafer; everything else that commands write is reset.
  void begin();
  void append(std::span<const machine::Message> messages);
  std::uint64_t sent() const { return first_ + kept_.size(); }

  /// Completes `s`, whose queue lengths are known: fills in the messages that wait at the valve, in cells and PEs, and
  /// each tile's instructions, routes and command registers. `taken`: number of messages that the valve has taken;
  /// `status`: [tile], tells where the front messages have still to be forwarded.
  void restore(machine::HangSnapshot& s, std::uint64_t taken, std::span<const TileStatus> status) const;

 private:
  /// Part of a tile's state that commands write.
  struct Loaded {
    std::vector<std::uint32_t> instructions;
    std::array<std::vector<std::uint8_t>, 5> routes;
    bool selected = true;
    std::uint16_t instruction_address = 0, low_half = 0, memory_address = 0;
  };

  bool for_row(const machine::Message& m, int row) const {
    return m.ctrl || static_cast<int>(m.data >> 16) >> shift_ == row;
  }
  void take(Loaded& tile, int row, int col, const machine::Message& m) const;
  void reset(Loaded& tile, int col) const;

  const machine::WaferShape shape_;
  const int shift_;
  const std::size_t most_;
  std::uint64_t first_ = 0;  // number of the first message kept
  std::deque<machine::Message> kept_;
  std::vector<Loaded> tiles_;  // state before that message
};

}  // namespace weft::board
