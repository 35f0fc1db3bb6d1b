/// Contents of the fabric's buffers in a hang.
#include <algorithm>

#include "verif/model/tiles/bounded_fabric.hpp"

namespace weft::model {

void BoundedFabric::show(machine::HangSnapshot& s) const {
  constexpr std::size_t kShown = 4;
  const machine::WaferShape& shape = mesh_.shape;
  const auto free = [&](std::size_t used) { return static_cast<std::uint8_t>(depth_ - std::min(depth_, used)); };
  s.depth = static_cast<int>(depth_);
  for (TileIndex tile = 0; tile < shape.rows * shape.cols; ++tile) {
    machine::TileHang& t = s.tiles[at(tile)];
    for (int color = 0; color < (shape.general ? shape.colors : 1); ++color)
      for (const Entry& e : out_[out_queue(tile, color)]) t.out.push_back(static_cast<std::uint8_t>(e.color));
    for (int color = 0; color < shape.colors; ++color) {
      const auto c = static_cast<std::size_t>(color);
      t.ramp[c] = static_cast<std::uint32_t>(in_ramp(tile, color));
      for (std::size_t port = 0; port < 5; ++port)
        t.buffers[port].push_back(
            static_cast<std::uint32_t>(buffers_[index(tile, static_cast<int>(port), color)].words.size()));
      t.out_credits.push_back(free(t.buffers[4].back()));
    }
  }
  const auto held_by = [&](int tile, std::size_t port, std::size_t color) {
    return s.tiles[static_cast<std::size_t>(tile)].buffers[port][color];
  };
  for (TileIndex tile = 0; tile < shape.rows * shape.cols; ++tile) {
    machine::TileHang& t = s.tiles[at(tile)];
    const int row = tile / shape.cols, col = tile % shape.cols;
    for (std::size_t c = 0; c < static_cast<std::size_t>(shape.colors); ++c) {
      t.credits[0].push_back(free(row > 0 ? held_by(tile - shape.cols, 2, c) : 0));
      t.credits[1].push_back(free(col + 1 < shape.cols ? held_by(tile + 1, 3, c) : 0));
      t.credits[2].push_back(free(row + 1 < shape.rows ? held_by(tile + shape.cols, 0, c) : 0));
      t.credits[3].push_back(free(col > 0 ? held_by(tile - 1, 1, c) : 0));
      t.credits[4].push_back(free(t.ramp[c]));
    }
  }
  for (std::size_t r = 0; r < s.rows.size(); ++r) {
    machine::RowHang& row = s.rows[r];
    row.outlet.assign(static_cast<std::size_t>(shape.colors), 0);
    row.cell = static_cast<std::uint32_t>(cells_[r].messages.size());
    row.front.assign(cells_[r].messages.begin(), cells_[r].messages.end());
    row.served = static_cast<std::uint8_t>(cells_[r].served);
    bool last = r + 1 == cells_.size();
    for (std::size_t v = 0; v < valves_.size(); ++v) last |= r + 1 == v * cells_.size() / valves_.size();
    const std::size_t next = last ? 0 : cells_[r + 1].messages.size();
    row.cell_credits = {free(held_by(static_cast<int>(r) * shape.cols, 3, 0)), free(next)};
  }
  for (std::size_t v = 0; v < valves_.size(); ++v) {
    const std::size_t first = v * s.rows.size() / valves_.size();
    s.valves[v] = {taken_[v], valves_[v].size(), {}, {free(cells_[first].messages.size())}};
    for (std::size_t i = 0; i < std::min(kShown, valves_[v].size()); ++i) s.valves[v].next.push_back(valves_[v][i]);
  }
}

}  // namespace weft::model
