#include "sw/deadlock/tiles.hpp"

#include <algorithm>

#include "sw/compiler/program/load.hpp"
#include "sw/deadlock/report.hpp"

namespace weft::deadlock {

Tiles::Tiles(const Input& input, bool by_row) : input_(input), by_row_(by_row) {
  const machine::WaferShape& s = input.shape;
  for (int row = 0; row < s.rows; ++row)
    for (int col = 0; col < (by_row ? 1 : s.cols); ++col) readers_.emplace_back(s, row, by_row ? -1 : col);
}

void Tiles::forget_registers() {
  for (Reader& reader : readers_) reader.forget_registers();
}

void Tiles::read(std::span<const machine::Message> messages, bool known) {
  const machine::WaferShape& s = input_.shape;
  std::vector<std::vector<machine::Message>> w(static_cast<std::size_t>(s.rows));
  for (const machine::Message& m : messages) {
    const auto row = static_cast<std::size_t>(m.data >> 16 >> s.row_shift());
    if (m.ctrl)
      for (auto& list : w) list.push_back(m);
    else if (row < w.size())
      w[row].push_back(m);
    else
      throw Finding{Finding::Kind::Wrong,
                    static_cast<int>(w.size()) - 1,
                    -1,
                    false,
                    false,
                    0,
                    "a weight is for row " + std::to_string(row) + ", which does not exist"};
  }
  traces_.clear();
  std::vector<Routes> before;
  for (const Reader& reader : readers_) before.push_back(reader.routes());
  const std::size_t each = readers_.size() / w.size();
  for (std::size_t i = 0; i < readers_.size(); ++i) traces_.push_back(readers_[i].read(w[i / each], known));
  check_routes(before, turns_w(messages));
}

bool Tiles::turns_w(std::span<const machine::Message> messages) const {
  const std::vector<machine::Message> turn = compiler::turn_messages(input_.shape);
  const auto at = std::ranges::search(messages, turn);
  if (at.empty()) return false;
  const auto of_w = [](const machine::Message& m) {
    return m.ctrl && m.data >> 24 == static_cast<std::uint32_t>(machine::Command::Route) && (m.data >> 11 & 31) == 0;
  };
  return std::none_of(messages.begin(), at.begin(), of_w) && std::none_of(at.end(), messages.end(), of_w);
}

void Tiles::check_routes(const std::vector<Routes>& before, bool turned) const {
  bool changed = false, sends = false;
  const int each = by_row_ ? 1 : input_.shape.cols;
  for (std::size_t i = 0; i < readers_.size(); ++i) {
    changed |= readers_[i].routes() != before[i];
    sends |= !traces_[i].psum.empty();
    const int row = static_cast<int>(i) / each, col = by_row_ ? -1 : static_cast<int>(i) % each;
    for (std::size_t port = 0; port < 5; ++port)
      if (!turned && readers_[i].routes()[port][0] != before[i][port][0])
        throw Finding{Finding::Kind::Unknown, row, col, false, false, 0, "W's routes change while W brings messages"};
  }
  if (changed && sends)
    throw Finding{Finding::Kind::Unknown, 0, -1, false, false, 0, "routes change in a phase that sends words"};
}

Network Tiles::network(std::span<const machine::Message> messages) const {
  const machine::WaferShape& s = input_.shape;
  Network n;
  n.shape = s;
  n.depth = input_.depth;
  for (int tile = 0; tile < n.tiles(); ++tile) {
    const auto i = static_cast<std::size_t>(by_row_ ? n.row(tile) : tile);
    n.routes.push_back(&readers_[i].routes());
    n.traces.push_back(&traces_[i]);
    n.programs.push_back(&readers_[i].instructions());
  }
  n.valves.resize(static_cast<std::size_t>(s.valves));
  for (const machine::Message& m : messages) {
    const int row = static_cast<int>(m.data >> 16 >> s.row_shift());
    if (m.ctrl)
      for (auto& valve : n.valves) valve.push_back(Network::kCommand);
    else
      n.valves[static_cast<std::size_t>(n.valve_of(std::min(row, s.rows - 1)))].push_back(row);
  }
  return n;
}

std::string Tiles::name(const Finding& f) const {
  std::string text =
      f.col < 0 ? "row " + std::to_string(f.row) : "tile (" + std::to_string(f.row) + "," + std::to_string(f.col) + ")";
  text += f.psum ? " psum" : " main";
  if (f.has_pc) {
    const int cols = by_row_ ? 1 : input_.shape.cols;
    machine::TileHang t;
    t.state.instructions = readers_[static_cast<std::size_t>(f.row * cols + std::max(f.col, 0))].instructions();
    text += " at " + where(t, f.pc, programs_of(input_));
  }
  return text + ": " + f.text +
         (f.kind == Finding::Kind::Unknown ? "; the effect cannot be determined beforehand" : "");
}

}  // namespace weft::deadlock
