/// Single moves of the tiles, for debuggers: feed() in the same order, with a return after each move.
#include <utility>

#include "verif/model/numbers/numbers.hpp"
#include "verif/model/tiles/tiles.hpp"

namespace weft::model {

void Tiles::queue(std::span<const machine::Message> messages) {
  moves_.queued.insert(moves_.queued.end(), messages.begin(), messages.end());
}

/// Records in `moved` during its lifetime.
struct Tiles::Telling {
  Telling(Mesh& m, Sram* memory, ModelMove& moved) : mesh(m), of(memory) {
    mesh.moved = &moved;
    if (of) of->record_writes(&moved);
  }
  ~Telling() {
    mesh.moved = nullptr;
    if (of) of->record_writes(nullptr);
  }
  Telling(Telling&&) = delete;

  Mesh& mesh;
  Sram* of;
};

bool Tiles::move_tile(TileIndex i, ModelMove& moved) {
  Pe& pe = tile(i).pe;
  const Telling telling(mesh_, &pe.machine.sram, moved);
  moved = {};
  moved.tile = i;
  return pe.move(moved);
}

/// Moves messages when no tile can move: in links, or the intake's next messages. Returns false if none can.
bool Tiles::move_messages(ModelMove& moved) {
  const Telling telling(mesh_, nullptr, moved);
  moved = {};
  if (bounded_fabric_ && bounded_fabric_->move()) return true;
  auto& queued = moves_.queued;
  if (queued.empty()) return bounded_fabric_ && bounded_fabric_->drop_routeless();
  const std::size_t n = bounded_fabric_ ? queued.size() : std::min(queued.size(), kPortion);
  const auto end = queued.begin() + static_cast<std::ptrdiff_t>(n);
  const std::vector<machine::Message> portion(queued.begin(), end);
  queued.erase(queued.begin(), end);
  if (!bounded_fabric_) return distribute(portion), true;
  hand_to_bounded_fabric(portion);
  bounded_fabric_->move();
  return true;
}

bool Tiles::move(ModelMove& moved) {
  FlushDenormals mode;
  for (;;) {
    if (!moves_.alone.empty()) {  // one after the other; tiles they wake run when all are done
      TilePorts& ports = tile(moves_.alone.front()).ports;
      ports.give_up(true);
      if (move_tile(moves_.alone.front(), moved)) return true;
      ports.give_up(false);
      moves_.alone.erase(moves_.alone.begin());
    } else if (moves_.next < mesh_.woken.size()) {
      const TileIndex i = mesh_.woken[moves_.next];
      if (!moves_.begun) mesh_.is_woken[static_cast<std::size_t>(i)] = false;
      moves_.begun = true;
      if (move_tile(i, moved)) return true;
      if (bounded_fabric_) bounded_fabric_->ran(i);
      moves_.begun = false;
      ++moves_.next;
    } else {
      mesh_.woken.clear();
      moves_.next = 0;
      moves_.alone = std::exchange(mesh_.routeless, {});
      if (moves_.alone.empty()) return move_messages(moved);
    }
  }
}

void Tiles::set_state(int row, int col, const machine::TileState& state) {
  const TileIndex i = row * shape_.cols + col;
  Routes routes(col == shape_.cols - 1);
  for (int port = 0; port < kPorts; ++port)
    for (int color = 0; color < shape_.colors; ++color)
      routes.at(port, color) = state.routes[static_cast<std::size_t>(port)][static_cast<std::size_t>(color)];
  mesh_.fabric.set_routes(i, routes);
  tile(i).pe.set_state(state);
}

}  // namespace weft::model
