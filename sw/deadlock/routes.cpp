/// Static check of the routes of words that threads send.
#include <algorithm>
#include <map>
#include <ostream>

#include "sw/deadlock/check.hpp"
#include "sw/deadlock/paths.hpp"
#include "sw/deadlock/report.hpp"

namespace weft::deadlock {
namespace {

std::string tile_name(const Network& n, int tile) {
  return "tile (" + std::to_string(n.row(tile)) + "," + std::to_string(tile % n.shape.cols) + ")";
}

/// The paths of a color from one entry.
struct Way {
  std::vector<int> ramps;                   ///< tiles that receive the color
  std::vector<std::pair<int, int>> queues;  ///< tile, port
  std::vector<std::pair<int, int>> ends;    ///< queues without a route
  bool twice = false;                       ///< some queue is reached twice
  bool leaves = false;                      ///< an outlet is reached
};

Way follow(const Network& n, int tile, int port, int color) {
  Way way;
  std::vector<std::pair<int, int>> open{{tile, port}};
  while (!open.empty()) {
    const auto [t, p] = open.back();
    open.pop_back();
    if (std::ranges::find(way.queues, std::pair(t, p)) != way.queues.end()) {
      way.twice = true;
      return way;
    }
    way.queues.emplace_back(t, p);
    const unsigned outputs = n.outputs(t, p, color);
    if (!outputs) way.ends.emplace_back(t, p);
    if (outputs >> 4 & 1) way.ramps.push_back(t);
    for (int out = 0; out < 4; ++out) {
      if (!(outputs >> out & 1)) continue;
      if (const int to = n.neighbour(t, out); to >= 0)
        open.emplace_back(to, out ^ 2);
      else
        way.leaves = true;
    }
  }
  return way;
}

std::string where(const Network& n, int tile, std::uint16_t pc, const Programs& programs) {
  machine::TileHang t;
  t.state.instructions = *n.programs[static_cast<std::size_t>(tile)];
  return deadlock::where(t, pc, programs);
}

}  // namespace

std::vector<std::string> route_problems(const Network& n, const Programs& programs) {
  std::vector<std::string> problems;
  const auto port_name = [](int port) { return std::string(isa::kPortNames[static_cast<std::size_t>(port)]); };
  std::vector<std::vector<int>> reached(static_cast<std::size_t>(n.shape.colors),
                                        std::vector<int>(n.traces.size(), -1));
  std::map<std::array<int, 3>, int> owner;  // [tile, port, color]: the tile that sends the words there
  const auto from = [&](int tile, int port, int color, const std::string& who) {
    const Way way = follow(n, tile, port, color);
    const std::string name = color_name(color);
    if (way.twice)
      problems.push_back("the routes of " + name + " from " + who + " are a loop, or lead to a place twice");
    for (const auto& [t, p] : way.ends)
      problems.push_back(tile_name(n, t) + " has no route for " + name + " from " + port_name(p) + ", where " + who +
                         " sends");
    for (const auto& [t, p] : way.queues) {
      const auto [place, fresh] = owner.try_emplace({t, p, color}, tile);
      if (!fresh && place->second != tile)
        problems.push_back("words of " + tile_name(n, place->second) + " and of " + who + " on " + name + " meet at " +
                           tile_name(n, t) + " from " + port_name(p) + ", so their order is undefined");
    }
    for (const int t : way.ramps) {
      int& sender = reached[static_cast<std::size_t>(color)][static_cast<std::size_t>(t)];
      if (sender >= 0 && sender != tile)
        problems.push_back("words of " + tile_name(n, sender) + " and of " + who + " on " + name + " meet in " +
                           tile_name(n, t));
      sender = tile;
    }
  };
  for (int row = 0; row < n.shape.rows; ++row) {
    const int tile = row * n.shape.cols;
    from(tile, 3, 0, "row " + std::to_string(row) + "'s intake");
    for (int t = tile; t < tile + n.shape.cols; ++t)
      if (reached[0][static_cast<std::size_t>(t)] < 0) problems.push_back("no route of W leads to " + tile_name(n, t));
  }
  for (int tile = 0; tile < n.tiles(); ++tile) {
    std::vector<bool> sent(static_cast<std::size_t>(n.shape.colors));
    for (const Event& e : n.traces[static_cast<std::size_t>(tile)]->psum) {
      if (!e.sends || n.times(tile, e) == 0 || sent[e.cout]) continue;
      sent[e.cout] = true;
      from(tile, 4, e.cout, tile_name(n, tile) + " psum at " + where(n, tile, e.pc, programs));
    }
  }
  for (int tile = 0; tile < n.tiles(); ++tile) {
    std::vector<bool> taken(static_cast<std::size_t>(n.shape.colors));
    for (const Event& e : n.traces[static_cast<std::size_t>(tile)]->psum) {
      if (n.takes(tile, e) == 0 || n.times(tile, e) == 0 || taken[e.cin]) continue;
      taken[e.cin] = true;
      if (reached[e.cin][static_cast<std::size_t>(tile)] < 0 && e.kind != Event::Kind::Reduce)
        problems.push_back(tile_name(n, tile) + " psum at " + where(n, tile, e.pc, programs) + " takes " +
                           color_name(e.cin) + ", but no route of that color leads there");
    }
  }
  return problems;
}

void draw(const Network& n, const std::string& name, std::ostream& out) {
  out << "digraph \"" << name << "\" {\n  rankdir=LR;\n  node [shape=box];\n";
  const auto node = [&](int tile, const char* thread) {
    return "\"(" + std::to_string(n.row(tile)) + "," + std::to_string(tile % n.shape.cols) + ") " + thread + "\"";
  };
  for (int tile = 0; tile < n.tiles(); ++tile) {
    const Trace& trace = *n.traces[static_cast<std::size_t>(tile)];
    std::uint64_t w = 0, mp = 0, pm = 0, forks = 0;
    for (const Event& e : trace.main) {
      using Kind = Event::Kind;
      if (e.kind == Kind::Command || e.kind == Kind::Axpy || e.kind == Kind::Dot) w += e.n;
      mp += e.kind == Kind::Copy ? 1 : e.kind == Kind::Dot ? groups_of(e) : 0;
      pm += e.kind == Kind::Dot;
      forks += e.kind == Kind::Fork;
    }
    if (w)
      out << "  \"valve " << n.valve_of(n.row(tile)) << "\" -> " << node(tile, "main") << " [label=\"W " << w
          << "\"];\n";
    if (forks)
      out << "  " << node(tile, "main") << " -> " << node(tile, "psum") << " [label=\"fork " << forks
          << "\" style=dotted];\n";
    if (mp) out << "  " << node(tile, "main") << " -> " << node(tile, "psum") << " [label=\"MP " << mp << "\"];\n";
    if (pm) out << "  " << node(tile, "psum") << " -> " << node(tile, "main") << " [label=\"PM " << pm << "\"];\n";
    std::map<int, std::uint64_t> words;
    for (const Event& e : trace.psum)
      if (e.sends) words[e.cout] += std::uint64_t{n.times(tile, e)} * e.sends;
    for (const auto& [color, count] : words) {
      const Way way = follow(n, tile, 4, color);
      const std::string label = " [label=\"" + color_name(color) + " " + std::to_string(count) + "\"];\n";
      for (const int to : way.ramps) out << "  " << node(tile, "psum") << " -> " << node(to, "psum") << label;
      if (way.leaves) out << "  " << node(tile, "psum") << " -> \"host\"" << label;
    }
  }
  out << "}\n";
}

}  // namespace weft::deadlock
