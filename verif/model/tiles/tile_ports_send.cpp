/// A tile's output: to the queues at the end of its routes, or into the fabric's buffers.
#include <cstring>

#include "verif/model/tiles/bounded_fabric.hpp"
#include "verif/model/tiles/tile_ports.hpp"

namespace weft::model {

int TilePorts::room(int color) const {
  return mesh_.bounded_fabric ? mesh_.bounded_fabric->room(tile_, color) : kNoBound;
}

void TilePorts::send(int color, const std::uint32_t* words, int beats, int k) {
  if (mesh_.bounded_fabric) {
    if (mesh_.moved) mesh_.moved->pass(tile_, color, true);
    return mesh_.bounded_fabric->send(tile_, color, words, beats, k);
  }
  const Sender sender{tile_, color};
  const auto size = static_cast<std::size_t>(beats * k);
  if (mesh_.moved) mesh_.moved->pass(tile_, color, true, {words, size});
  const Path& path = mesh_.fabric.path(tile_, isa::Port::Ramp, color);
  for (const TileIndex to : path.ramps) {
    std::memcpy(mesh_.ports[static_cast<std::size_t>(to)]->queue_for(sender).push(beats, k), words,
                size * sizeof *words);
    if (mesh_.moved) mesh_.moved->pass(to, color, false, {words, size});
  }
  for (const int row : path.outlets) {
    auto& outlet = mesh_.outlet(row, sender);
    outlet.insert(outlet.end(), words, words + size);
    mesh_.outlets.delivered[static_cast<std::size_t>(row)] += size;
  }
  mesh_.no_route(path.ends);
}

}  // namespace weft::model
