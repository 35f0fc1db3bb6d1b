/// State shared by independent tiles: routers, outlets, and the list of woken tiles.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "verif/model/edge/edge.hpp"
#include "verif/model/machine/flags.hpp"
#include "verif/model/machine/moved.hpp"
#include "verif/model/tiles/fabric.hpp"
#include "verif/model/tiles/names.hpp"

namespace weft::model {

class TilePorts;
class BoundedFabric;

/// The sender of messages: a tile, or the west edge of a row.
struct Sender {
  TileIndex tile = -1;  ///< -1: no sender
  int color = 0;
  bool edge = false;  ///< the messages enter from the west of the tile, which is in column 0
  friend bool operator==(const Sender&, const Sender&) = default;
};

struct Mesh {
  Mesh(const machine::WaferShape& s, Outlets& o)
      : shape(s),
        fabric(s),
        outlets(o),
        outlet_of(static_cast<std::size_t>(s.rows)),
        is_woken(static_cast<std::size_t>(s.rows * s.cols)) {}

  const machine::WaferShape shape;
  Fabric fabric;
  Outlets& outlets;
  std::vector<Sender> outlet_of;            ///< [row]: sender of the words delivered since the host's last wait
  std::vector<TilePorts*> ports;            ///< [tile]
  std::vector<Flags*> flags;                ///< [tile]
  BoundedFabric* bounded_fabric = nullptr;  ///< buffers of the fabric; null: unbounded
  ModelMove* moved = nullptr;               ///< records senders and receivers of words; null: no recording

  void reset() {
    fabric.reset();
    woken.clear();
    is_woken.assign(is_woken.size(), false);
    routeless.clear();
  }
  /// The tile has received something to work on.
  void wake(TileIndex tile) {
    if (is_woken[static_cast<std::size_t>(tile)]) return;
    is_woken[static_cast<std::size_t>(tile)] = true;
    woken.push_back(tile);
  }
  /// The tile waits to send, because a router lacks a route. Commands in flight may set it.
  void waits_for_route(TileIndex tile) {
    if (std::ranges::find(routeless, tile) == routeless.end()) routeless.push_back(tile);
  }
  /// Raises NO_ROUTE in these tiles, where the messages of a sender end.
  void no_route(const std::vector<TileIndex>& ends) {
    for (const TileIndex tile : ends) flags[static_cast<std::size_t>(tile)]->set(isa::Flag::NoRoute);
    if (moved) moved->marked.insert(moved->marked.end(), ends.begin(), ends.end());
  }
  /// The outlet buffer of a row for `sender`. Throws ProgramError if it holds words of another sender that the host may
  /// not have received.
  std::vector<std::uint32_t>& outlet(int row, const Sender& sender);

  std::string name(TileIndex tile) const { return tile_name(tile / shape.cols, tile % shape.cols); }
  std::string name(const Sender& sender) const { return name(sender.tile) + (sender.edge ? "'s west edge" : ""); }

  std::vector<TileIndex> woken;      ///< without duplicates
  std::vector<TileIndex> routeless;  ///< without duplicates; since the last progress
  std::vector<bool> is_woken;        ///< [tile]
};

}  // namespace weft::model
