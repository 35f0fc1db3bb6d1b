#include "sw/deadlock/network.hpp"

namespace weft::deadlock {

int Network::valve_of(int row) const {
  int v = 0;
  while (v + 1 < shape.valves && first_row(v + 1) <= row) ++v;
  return v;
}

unsigned Network::outputs(int tile, int port, int color) const {
  const unsigned all =
      (*routes[static_cast<std::size_t>(tile)])[static_cast<std::size_t>(port)][static_cast<std::size_t>(color)];
  return last_column(tile) && color == 0 ? all & ~2u : all;
}

int Network::neighbour(int tile, int out) const {
  const int r = row(tile), c = tile % shape.cols;
  if (out == 0) return r > 0 ? tile - shape.cols : -1;
  if (out == 1) return c + 1 < shape.cols ? tile + 1 : -1;
  if (out == 2) return r + 1 < shape.rows ? tile + shape.cols : -1;
  if (out == 3) return c > 0 ? tile - 1 : -1;
  return tile;
}

std::string Agents::name(std::uint32_t agent) const {
  const int a = static_cast<int>(agent);
  if (a < valves) return "valve " + std::to_string(a);
  if (a < valves + 2 * rows)
    return "intake " + std::to_string((a - valves) / 2) + ((a - valves) % 2 ? " to the next" : " to its row");
  const int rest = a - valves - 2 * rows;
  static constexpr const char* kParts[] = {"main", "vdot's lists", "psum", "out queue"};
  if (rest < 4 * tiles) return "tile " + std::to_string(rest % tiles) + " " + kParts[rest / tiles];
  if (const int queue = rest - 4 * tiles - tiles * 5 * colors * 6; queue >= 0)
    return "tile " + std::to_string(queue / colors) + " out queue of color " + std::to_string(queue % colors);
  const int b = rest - 4 * tiles, out = b % 6, color = b / 6 % colors, port = b / 6 / colors % 5;
  std::string text = "tile " + std::to_string(b / 6 / colors / 5) + " router " + std::string(isa::kPortNames[port]) +
                     " color " + std::to_string(color);
  return text + " to " + (out < 5 ? std::string(isa::kPortNames[out]) : "nowhere");
}

}  // namespace weft::deadlock
