#include "host/board/debug/stream_record.hpp"

#include <algorithm>
#include <functional>

namespace weft::board {
namespace {

constexpr std::size_t kNext = 4;  // number of waiting messages at the valve that are shown
constexpr std::size_t port(machine::Port p) { return static_cast<std::size_t>(p); }

/// Position such that the range from it to `end` has `n` messages for which `counts` is true; `end` if n is 0.
std::uint64_t back(std::uint64_t end, std::uint32_t n, std::uint64_t first,
                   const std::function<bool(std::uint64_t)>& counts) {
  while (n > 0 && end > first)
    if (counts(--end)) --n;
  return end;
}

}  // namespace

StreamRecord::StreamRecord(const machine::WaferShape& shape, std::size_t most)
    : shape_(shape), shift_(shape.row_shift()), most_(most), tiles_(static_cast<std::size_t>(shape.rows * shape.cols)) {
  for (Loaded& t : tiles_) t.instructions.resize(isa::kIDepth);
  begin();
}

void StreamRecord::reset(Loaded& tile, int col) const {
  const auto colors = static_cast<std::size_t>(shape_.colors);
  for (auto& routes : tile.routes) routes.assign(colors, 0);
  const unsigned east = col + 1 < shape_.cols ? 1U << port(machine::Port::E) : 0;
  tile.routes[port(machine::Port::W)][0] = static_cast<std::uint8_t>(1U << port(machine::Port::Ramp) | east);
  tile.selected = true;
}

void StreamRecord::begin() {
  std::size_t tile = 0;
  for (int row = 0; row < shape_.rows; ++row)
    for (int col = 0; col < shape_.cols; ++col, ++tile) {
      // tiles may have taken these: the program is loaded, or will be sent again
      for (const machine::Message& m : kept_)
        if (for_row(m, row)) take(tiles_[tile], row, col, m);
      reset(tiles_[tile], col);
    }
  kept_.clear();
  first_ = 0;
}

void StreamRecord::append(std::span<const machine::Message> messages) {
  kept_.insert(kept_.end(), messages.begin(), messages.end());
  for (; kept_.size() > most_; kept_.pop_front(), ++first_) {
    if (!kept_.front().ctrl) continue;
    std::size_t tile = 0;
    for (int row = 0; row < shape_.rows; ++row)
      for (int col = 0; col < shape_.cols; ++col) take(tiles_[tile++], row, col, kept_.front());
  }
}

void StreamRecord::take(Loaded& t, int row, int col, const machine::Message& m) const {
  if (!m.ctrl) return;
  const auto value = static_cast<std::uint16_t>(m.data);
  const auto code = static_cast<machine::Command>(m.data >> 24);
  if (code == machine::Command::Select) {
    const machine::Selection tiles = machine::Selection::of(m.data);
    t.selected = tiles.has_row(row) && tiles.has_col(col);
  }
  if (!t.selected) return;
  switch (code) {
    case machine::Command::Iaddr:
      t.instruction_address = value % isa::kIDepth;
      break;
    case machine::Command::Ilo:
      t.low_half = value;
      break;
    case machine::Command::Ihi:
      t.instructions[t.instruction_address] = static_cast<std::uint32_t>(value) << 16 | t.low_half;
      t.instruction_address = static_cast<std::uint16_t>((t.instruction_address + 1) % isa::kIDepth);
      break;
    case machine::Command::Maddr:
      t.memory_address = value;
      break;
    case machine::Command::Mdata:
      ++t.memory_address;
      break;
    case machine::Command::Route: {  // {color:5, port:3, outputs:8}
      const std::size_t color = value >> 11, from = value >> 8 & 7;
      const unsigned outputs = value & 255;
      const unsigned off = (row == 0 ? 1U << port(machine::Port::N) : 0) |
                           (col + 1 == shape_.cols ? 1U << port(machine::Port::E) : 0) |
                           (row + 1 == shape_.rows ? 1U << port(machine::Port::S) : 0);
      // Other routes are rejected, and the previous one stays (rtl/fabric/weft_route_check.sv).
      if (from < t.routes.size() && color < t.routes[from].size() && color < std::size(isa::kKernelTurns) &&
          (outputs & ~(isa::kKernelTurns[color][from] & ~off)) == 0)
        t.routes[from][color] = static_cast<std::uint8_t>(outputs);
      break;
    }
    default:
      break;
  }
}

void StreamRecord::restore(machine::HangSnapshot& s, std::uint64_t taken, std::span<const TileStatus> status) const {
  taken = std::clamp(taken, first_, sent());
  const auto at = [&](std::uint64_t i) -> const machine::Message& {
    return kept_[static_cast<std::size_t>(i - first_)];
  };
  machine::ValveHang& valve = s.valves.at(0);
  valve.taken = taken;
  valve.rest = sent() - taken;
  for (std::uint64_t i = taken; i < std::min(sent(), taken + kNext); ++i) valve.next.push_back(at(i));

  std::uint64_t in_cell = taken;  // end of the messages that have arrived in the row's cell
  for (int row = 0; row < shape_.rows; ++row) {
    machine::RowHang& cell = s.rows[static_cast<std::size_t>(row)];
    const auto to_cell = [&](std::uint64_t i) {
      return at(i).ctrl || static_cast<int>(at(i).data >> 16) >> shift_ >= row;
    };
    const auto to_row = [&](std::uint64_t i) { return for_row(at(i), row); };
    const std::uint64_t front = back(in_cell, cell.cell, first_, to_cell);
    for (std::uint64_t i = front; i < in_cell; ++i)
      if (to_cell(i)) cell.front.push_back(at(i));
    std::uint64_t in_tile = front + ((cell.served & 1) != 0 ? 1 : 0);
    in_cell = front + ((cell.served & 2) != 0 ? 1 : 0);
    for (int col = 0; col < shape_.cols; ++col) {
      const auto number = static_cast<std::size_t>(row * shape_.cols + col);
      machine::TileHang& t = s.tiles[number];
      const std::uint32_t waits = t.buffers[port(machine::Port::W)][0];
      const std::uint64_t next = back(in_tile, waits, first_, to_row);
      const std::uint64_t in_pe = next + (waits > 0 && !status[number].w_to_pe ? 1 : 0);
      in_tile = next + (waits > 0 && !status[number].w_to_east ? 1 : 0);
      const std::uint64_t done = back(in_pe, t.ramp[0], first_, to_row);
      for (std::uint64_t i = done; i < in_pe; ++i)
        if (to_row(i)) t.w.push_back(at(i));
      Loaded tile = tiles_[number];
      for (std::uint64_t i = first_; i < done; ++i)
        if (at(i).ctrl) take(tile, row, col, at(i));
      t.state.instructions = std::move(tile.instructions);
      t.state.routes = std::move(tile.routes);
      t.state.selected = tile.selected;
      t.state.instruction_address = tile.instruction_address;
      t.state.low_half = tile.low_half;
      t.state.memory_address = tile.memory_address;
    }
  }
}

}  // namespace weft::board
