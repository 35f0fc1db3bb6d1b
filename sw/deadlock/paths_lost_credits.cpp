/// Links whose credits and messages do not add up.
#include "sw/deadlock/paths.hpp"

namespace weft::deadlock {

using isa::Port;

std::vector<LostCredit> Paths::lost_credits() const {
  std::vector<LostCredit> list;
  if (s_.depth == 0) return list;
  for (const machine::TileHang& t : s_.tiles)
    if (t.awake) return list;  // messages and credits are in flight
  const auto check = [&](LostCredit link, const machine::Credits& credits, const machine::Counts& counts) {
    for (std::size_t c = 0; c < credits.size() && c < counts.size(); ++c) {
      link.color = static_cast<int>(c);
      link.lost = s_.depth - credits[c] - static_cast<int>(counts[c]);
      if (link.lost != 0) list.push_back(link);
    }
  };
  static constexpr const char* kTowards[] = {" to the north", " to the east", " to the south", " to the west"};
  for (int tile = 0; tile < static_cast<int>(s_.tiles.size()); ++tile) {
    const machine::TileHang& t = at(tile);
    check({name(tile) + "'s PE to its router", tile, tile}, t.out_credits, t.buffers[number(Port::Ramp)]);
    check({name(tile) + "'s router to its PE", tile, tile, true}, t.credits[number(Port::Ramp)], t.ramp);
    for (const Port out : {Port::N, Port::E, Port::S, Port::W}) {
      const int to = neighbour(tile, out);
      const std::string link = name(tile) + kTowards[number(out)];
      if (to >= 0)
        check({link, tile, to}, t.credits[number(out)], at(to).buffers[number(opposite(out))]);
      else if (out == Port::W)
        check({link, tile, -1}, t.credits[number(out)], s_.rows[static_cast<std::size_t>(tile / s_.shape.cols)].outlet);
    }
  }
  for (int row = 0; row < s_.shape.rows; ++row) {
    const machine::RowHang& r = s_.rows[static_cast<std::size_t>(row)];
    const int tile = row * s_.shape.cols;
    const std::string cell = "row " + std::to_string(row) + "'s intake";
    if (r.cell_credits.size() < 2) continue;
    check({cell + " to " + name(tile), -1, tile}, {r.cell_credits[0]}, {at(tile).buffers[number(Port::W)].at(0)});
    int v = 0;
    while (v + 1 < s_.shape.valves && (v + 1) * s_.shape.rows / s_.shape.valves <= row) ++v;
    const bool last = row + 1 == (v + 1) * s_.shape.rows / s_.shape.valves;
    if (!last)
      check({cell + " to the next", -1, -1}, {r.cell_credits[1]}, {s_.rows[static_cast<std::size_t>(row) + 1].cell});
    if (row == v * s_.shape.rows / s_.shape.valves)
      check({"valve " + std::to_string(v), -1, -1}, s_.valves[static_cast<std::size_t>(v)].credits, {r.cell});
  }
  return list;
}

}  // namespace weft::deadlock
