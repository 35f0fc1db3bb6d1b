#include "verif/model/tiles/tile_ports.hpp"

#include <utility>

#include "verif/model/machine/machine.hpp"

namespace weft::model {

TilePorts::TilePorts(Mesh& mesh, TileIndex tile) : mesh_(mesh), tile_(tile) { clear(); }

void TilePorts::clear() {
  queues_ = std::vector<Queue>(static_cast<std::size_t>(mesh_.shape.colors));
  for (std::size_t color = 0; color < queues_.size(); ++color) in_[color] = &queues_[color].stream;
  gave_up_ = false;
}

void TilePorts::set_stream(const Sender& sender, Stream stream) {
  queues_[static_cast<std::size_t>(sender.color)] = {std::move(stream), sender};
}

Stream& TilePorts::queue_for(const Sender& sender) {
  Queue& queue = queues_[static_cast<std::size_t>(sender.color)];
  if (queue.sender != sender) {
    if (queue.stream.words())
      throw ProgramError(mesh_.name(tile_) + ": on " + color_name(sender.color) + " words of " +
                         mesh_.name(queue.sender) + " wait when those of " + mesh_.name(sender) +
                         " arrive, so their order is undefined. HINT: give each sender a color of its own");
    queue.sender = sender;
  }
  if (mesh_.moved) mesh_.moved->pass(tile_, sender.color, false);
  mesh_.wake(tile_);
  return queue.stream;
}

Outcome TilePorts::may_send(int color) {
  if (mesh_.bounded_fabric) return Outcome::Done;  // messages without a route are dropped on the way
  if (gave_up_ || mesh_.fabric.path(tile_, isa::Port::Ramp, color).ends.empty()) return Outcome::Done;
  mesh_.waits_for_route(tile_);
  return Outcome::Waits;
}

Stream* TilePorts::queue_of_one(int color) {
  if (mesh_.bounded_fabric || mesh_.moved) return nullptr;  // send() records the words
  const Path& path = mesh_.fabric.path(tile_, isa::Port::Ramp, color);
  if (!path.is_private()) return nullptr;
  return &mesh_.ports[static_cast<std::size_t>(path.ramps[0])]->queue_for({tile_, color});
}

}  // namespace weft::model
