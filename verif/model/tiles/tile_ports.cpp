#include "verif/model/tiles/tile_ports.hpp"

#include <cstring>
#include <utility>

#include "verif/model/machine/machine.hpp"
#include "verif/model/tiles/bounded_fabric.hpp"

namespace weft::model {

TilePorts::TilePorts(Mesh& mesh, TileIndex tile) : mesh_(mesh), tile_(tile) { clear(); }

void TilePorts::clear() {
  queues_ = std::vector<Queue>(static_cast<std::size_t>(mesh_.shape.colors));
  for (std::size_t color = 0; color < queues_.size(); ++color) in_[color] = &queues_[color].stream;
  gave_up_ = false;
}

void TilePorts::put(const Sender& sender, Stream stream) {
  queues_[static_cast<std::size_t>(sender.color)] = {std::move(stream), sender};
}

Stream& TilePorts::queue_for(const Sender& sender) {
  Queue& queue = queues_[static_cast<std::size_t>(sender.color)];
  if (queue.sender != sender) {
    if (queue.stream.words())
      throw ProgramError(mesh_.name(tile_) + ": on " + color_name(sender.color) + " words of " +
                         mesh_.name(queue.sender) + " wait when those of " + mesh_.name(sender) +
                         " come: which are first is chance. HINT: give each sender a color of its own");
    queue.sender = sender;
  }
  if (mesh_.moved) mesh_.moved->pass(tile_, sender.color, false);
  mesh_.wake(tile_);
  return queue.stream;
}

int TilePorts::room() const { return mesh_.hops ? mesh_.hops->room(tile_) : kNoBound; }

void TilePorts::leaves(int color) {
  if (mesh_.moved) mesh_.moved->pass(tile_, color, true);
}

Outcome TilePorts::may_send(int color) {
  if (mesh_.hops) return Outcome::Done;  // messages without a route are dropped on the way
  if (gave_up_ || mesh_.fabric.path(tile_, isa::Port::Ramp, color).ends.empty()) return Outcome::Done;
  mesh_.waits_for_route(tile_);
  return Outcome::Waits;
}

Stream* TilePorts::queue_of_one(int color) {
  if (mesh_.hops) return nullptr;
  const Path& path = mesh_.fabric.path(tile_, isa::Port::Ramp, color);
  if (!path.is_private()) return nullptr;
  leaves(color);
  return &mesh_.ports[static_cast<std::size_t>(path.ramps[0])]->queue_for({tile_, color});
}

void TilePorts::send(int color, const std::uint32_t* words, int beats, int k) {
  leaves(color);
  if (mesh_.hops) return mesh_.hops->send(tile_, color, words, beats, k);
  const Sender sender{tile_, color};
  const auto size = static_cast<std::size_t>(beats * k);
  const Path& path = mesh_.fabric.path(tile_, isa::Port::Ramp, color);
  for (const TileIndex to : path.ramps)
    std::memcpy(mesh_.ports[static_cast<std::size_t>(to)]->queue_for(sender).push(beats, k), words,
                size * sizeof *words);
  for (const int row : path.outlets) {
    auto& outlet = mesh_.outlet(row, sender);
    outlet.insert(outlet.end(), words, words + size);
    mesh_.outlets.delivered[static_cast<std::size_t>(row)] += size;
  }
  mesh_.no_route(path.ends);
}

}  // namespace weft::model
