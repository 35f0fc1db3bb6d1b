/// What the host has sent to a board's valve: from that and from how much of it waits where follows what each message
/// that waits is, and what of a tile only commands write (its program, its routes).
#pragma once

#include <deque>
#include <span>
#include <vector>

#include "host/board/node_status.hpp"
#include "sw/machine/message.hpp"

namespace weft::board {

class StreamRecord {
 public:
  /// `most` messages are kept; what is older counts as taken. More never wait on a board.
  explicit StreamRecord(const WaferShape& shape, std::size_t most = std::size_t{1} << 20);

  /// The session begins anew. Programs stay, as in the wafer; all else that commands write is as after a reset.
  void begin();
  void put(std::span<const Message> messages);
  std::uint64_t sent() const { return first_ + kept_.size(); }

  /// Into `s`, whose queues are known: the messages that wait at the valve, in cells and PEs, and each tile's
  /// instructions, routes and the registers of its commands. The valve has taken `taken`; [tile] where the fronts have
  /// still to go.
  void restore(Standstill& s, std::uint64_t taken, std::span<const TileStatus> status) const;

 private:
  /// What commands make of a tile.
  struct Loaded {
    std::vector<std::uint32_t> instructions;
    std::array<std::vector<std::uint8_t>, 5> routes;
    bool selected = true;
    std::uint16_t instruction_address = 0, low_half = 0, memory_address = 0;
  };

  bool for_row(const Message& m, int row) const { return m.ctrl || static_cast<int>(m.data >> 16) >> shift_ == row; }
  void take(Loaded& tile, int row, int col, const Message& m) const;
  void reset(Loaded& tile, int col) const;

  const WaferShape shape_;
  const int shift_;
  const std::size_t most_;
  std::uint64_t first_ = 0;  // number of the first that is kept
  std::deque<Message> kept_;
  std::vector<Loaded> tiles_;  // as they were before it
};

}  // namespace weft::board
