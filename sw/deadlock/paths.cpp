#include "sw/deadlock/paths.hpp"

#include <algorithm>

#include "isa.hpp"

namespace weft::deadlock {

using isa::Port;

namespace {

constexpr Port kPorts[] = {Port::N, Port::E, Port::S, Port::W, Port::Ramp};
constexpr unsigned bit(Port port) { return 1u << static_cast<unsigned>(port); }

/// True if the instruction can send on the color.
bool sends(const isa::Instr& in, int color) {
  using isa::Opcode;
  if (in.op == Opcode::Snd) return in.color == color;
  return in.cout == color && (in.op == Opcode::Vr || ((in.op == Opcode::Vs || in.op == Opcode::Vb) && in.out));
}

template <class T>
bool add(std::vector<T>& list, const T& item) {
  if (std::ranges::find(list, item) != list.end()) return false;
  list.push_back(item);
  return true;
}

}  // namespace

std::string color_name(int color) {
  const auto c = static_cast<std::size_t>(color);
  return c < std::size(isa::kColorNames) ? std::string(isa::kColorNames[c]) : "color " + std::to_string(color);
}

std::string Paths::name(int tile) const {
  return "tile (" + std::to_string(tile / s_.shape.cols) + "," + std::to_string(tile % s_.shape.cols) + ")";
}

std::string Paths::name(const Queue& q) const {
  return color_name(q.color) + " from " + std::string(isa::kPortNames[number(q.port)]);
}

unsigned Paths::route(const Queue& q) const {
  const auto& routes = at(q.tile).state.routes[number(q.port)];
  return static_cast<std::size_t>(q.color) < routes.size() ? routes[static_cast<std::size_t>(q.color)] : 0;
}

std::uint32_t Paths::waiting(const Queue& q) const {
  const machine::Counts& counts = at(q.tile).buffers[number(q.port)];
  return static_cast<std::size_t>(q.color) < counts.size() ? counts[static_cast<std::size_t>(q.color)] : 0;
}

int Paths::neighbour(int tile, Port port) const {
  const int row = tile / s_.shape.cols, col = tile % s_.shape.cols;
  switch (port) {
    case Port::N:
      return row > 0 ? tile - s_.shape.cols : -1;
    case Port::S:
      return row + 1 < s_.shape.rows ? tile + s_.shape.cols : -1;
    case Port::E:
      return col + 1 < s_.shape.cols ? tile + 1 : -1;
    case Port::W:
      return col > 0 ? tile - 1 : -1;
    default:
      return tile;
  }
}

Found Paths::senders(int tile, int color) const {
  Found found;
  std::vector<Queue> open, seen;
  for (const Port port : kPorts)
    if (const Queue q{tile, port, color}; route(q) & bit(Port::Ramp)) open.push_back(q);
  while (!open.empty()) {
    const Queue q = open.back();
    open.pop_back();
    if (!add(seen, q)) continue;
    if (waiting(q)) {  // words wait here because another of their outputs is blocked
      take(q, found, seen);
      continue;
    }
    if (q.port == Port::Ramp) {
      const auto& out = at(q.tile).out;
      const bool own = s_.shape.general;  // the color has a queue of its own
      if (own ? std::ranges::find(out, q.color) != out.end() : !out.empty()) {
        std::vector<Queue> ways;
        take({q.tile, Port::Ramp, own ? q.color : out.front()}, found, ways);
      } else {
        add(found.threads, {q.tile, true});
      }
      continue;
    }
    const int from = neighbour(q.tile, q.port);
    if (from < 0) {
      if (q.port == Port::W) found.from_edge = true;
      continue;
    }
    for (const Port port : kPorts)
      if (const Queue before{from, port, color}; route(before) & bit(opposite(q.port))) open.push_back(before);
  }
  return found;
}

Found Paths::receivers(const Queue& queue) const {
  Found found;
  std::vector<Queue> seen;
  take(queue, found, seen);
  return found;
}

/// Follows the links that have no credit left.
void Paths::take(const Queue& start, Found& found, std::vector<Queue>& seen) const {
  std::vector<Queue> open{start};
  bool first = true;
  while (!open.empty()) {
    const Queue q = open.back();
    open.pop_back();
    if (!add(seen, q) && !first) continue;
    first = false;
    const unsigned outputs = route(q);
    if (!outputs) add(found.without_route, q);
    for (const Port out : kPorts) {
      if (!(outputs & bit(out))) continue;
      const machine::Credits& credits = at(q.tile).credits[number(out)];
      if (static_cast<std::size_t>(q.color) < credits.size() && credits[static_cast<std::size_t>(q.color)] > 0)
        continue;
      if (out == Port::Ramp) {
        add(found.threads, {q.tile, q.color != 0});
        continue;
      }
      const int to = neighbour(q.tile, out);
      if (to < 0)
        found.host = true;
      else
        open.push_back({to, opposite(out), q.color});
    }
  }
}

Found Paths::holds_w(int tile) const {
  constexpr int kW = static_cast<int>(isa::Color::W);
  Found found;
  std::vector<Queue> seen;
  const int row = tile / s_.shape.cols, last = (row + 1) * s_.shape.cols - 1;
  std::vector<Queue> way;  // back to the intake; if W turns around, by way of the last column
  const bool turned = tile != last && route({tile, Port::E, kW});
  for (int t = tile; turned && t < last; ++t) way.push_back({t, Port::E, kW});
  for (int t = turned ? last : tile; t >= row * s_.shape.cols; --t) way.push_back({t, Port::W, kW});
  for (const Queue& q : way) {
    if (waiting(q)) return take(q, found, seen), found;
    if (!route(q)) add(found.without_route, q);
  }
  if (s_.depth > 0) {
    int v = 0;
    while (v + 1 < s_.shape.valves && (v + 1) * s_.shape.rows / s_.shape.valves <= row) ++v;
    for (int r = row; r >= v * s_.shape.rows / s_.shape.valves; --r) {
      const machine::RowHang& cell = s_.rows[static_cast<std::size_t>(r)];
      if (!cell.cell) continue;
      // The cell's first message waits for its tile, or for a cell further south, which is then full.
      for (int south = r; south < s_.shape.rows && s_.rows[static_cast<std::size_t>(south)].cell; ++south) {
        const machine::RowHang& c = s_.rows[static_cast<std::size_t>(south)];
        if (!(c.served & 1) && c.cell_credits.at(0) == 0) take({south * s_.shape.cols, Port::W, kW}, found, seen);
      }
      return found;
    }
  }
  found.host = found.without_route.empty();
  return found;
}

std::vector<Queue> Paths::ends(int tile, int color) const {
  std::vector<Queue> open{{tile, Port::Ramp, color}}, seen, ends;
  while (!open.empty()) {
    const Queue q = open.back();
    open.pop_back();
    if (!add(seen, q)) continue;
    const unsigned outputs = route(q);
    if (!outputs) add(ends, q);
    for (const Port out : {Port::N, Port::E, Port::S, Port::W})
      if (const int to = neighbour(q.tile, out); (outputs & bit(out)) && to >= 0)
        open.push_back({to, opposite(out), color});
  }
  return ends;
}

std::vector<Queue> Paths::missing(int color) const {
  std::vector<Queue> list;
  for (int tile = 0; tile < static_cast<int>(s_.tiles.size()); ++tile) {
    if (!(at(tile).state.flags >> static_cast<unsigned>(isa::Flag::NoRoute) & 1)) continue;
    for (const Port port : kPorts) {
      const Queue q{tile, port, color};
      if (route(q)) continue;
      bool reached = false;
      if (port == Port::Ramp)
        for (const std::uint32_t word : at(tile).state.instructions) reached |= sends(isa::decode(word), color);
      else if (const int from = neighbour(tile, port); from >= 0)
        for (const Port before : kPorts) reached |= (route({from, before, color}) & bit(opposite(port))) != 0;
      if (reached) list.push_back(q);
    }
  }
  return list;
}

}  // namespace weft::deadlock
