/// What tiles of their own share: the routers, the outlets, and who has got something.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "verif/model/edge.hpp"
#include "verif/model/machine/flags.hpp"
#include "verif/model/moved.hpp"
#include "verif/model/names.hpp"
#include "verif/model/tiles/fabric.hpp"

namespace weft::model {

class TilePorts;
class Hops;

/// Whose messages: of a tile, or of the west edge of a row.
struct Sender {
  TileIndex tile = -1;  ///< -1: nobody's
  int color = 0;
  bool edge = false;  ///< they come from the west of the tile, which is in column 0
  friend bool operator==(const Sender&, const Sender&) = default;
};

struct Mesh {
  Mesh(const WaferShape& s, Outlets& o)
      : shape(s),
        fabric(s),
        outlets(o),
        outlet_of(static_cast<std::size_t>(s.rows)),
        is_woken(static_cast<std::size_t>(s.rows * s.cols)) {}

  const WaferShape shape;
  Fabric fabric;
  Outlets& outlets;
  std::vector<Sender> outlet_of;  ///< [row]: whose words it has delivered since the host waited
  std::vector<TilePorts*> ports;  ///< [tile]
  std::vector<Flags*> flags;      ///< [tile]
  Hops* hops = nullptr;           ///< the buffers on the way; null: none, and no bound
  ModelMove* moved = nullptr;     ///< is told who sends and gets words; null: nobody is

  void reset() {
    fabric.reset();
    woken.clear();
    is_woken.assign(is_woken.size(), false);
    routeless.clear();
  }
  /// The tile has got something to run with.
  void wake(TileIndex tile) {
    if (is_woken[static_cast<std::size_t>(tile)]) return;
    is_woken[static_cast<std::size_t>(tile)] = true;
    woken.push_back(tile);
  }
  /// The tile would send where some router has no route. Commands that are under way may bring it.
  void waits_for_route(TileIndex tile) {
    if (std::ranges::find(routeless, tile) == routeless.end()) routeless.push_back(tile);
  }
  /// The messages of a sender end at these tiles.
  void no_route(const std::vector<TileIndex>& ends) {
    for (const TileIndex tile : ends) flags[static_cast<std::size_t>(tile)]->set(isa::Flag::NoRoute);
    if (moved) moved->marked.insert(moved->marked.end(), ends.begin(), ends.end());
  }
  /// Where a row's outlet takes `sender`'s words. Throws ProgramError if it has others' that the host may not yet have.
  std::vector<std::uint32_t>& outlet(int row, const Sender& sender);

  std::string name(TileIndex tile) const { return tile_name(tile / shape.cols, tile % shape.cols); }
  std::string name(const Sender& sender) const { return name(sender.tile) + (sender.edge ? "'s west edge" : ""); }

  std::vector<TileIndex> woken;      ///< each once
  std::vector<TileIndex> routeless;  ///< each once; since nothing moved
  std::vector<bool> is_woken;        ///< [tile]
};

}  // namespace weft::model
