/// The routers of all tiles: destinations of a message that enters one of them.
///
/// Paths are traced through the routes once and cached until a route of their color changes.
#pragma once

#include <cstdint>
#include <vector>

#include "isa_machine.hpp"
#include "sw/machine/shape.hpp"
#include "verif/model/machine/routes.hpp"

namespace weft::model {

/// Tile index: row * cols + col.
using TileIndex = int;

/// Destinations of one message.
struct Path {
  std::vector<TileIndex> ramps;  ///< tiles that receive it
  std::vector<int> outlets;      ///< rows where it leaves the wafer
  std::vector<TileIndex> ends;   ///< tiles whose router has no route for it

  /// The message goes to one tile and nowhere else.
  bool is_private() const { return ramps.size() == 1 && outlets.empty() && ends.empty(); }
};

class Fabric {
 public:
  explicit Fabric(const machine::WaferShape& shape);
  /// Restores all routes as after reset.
  void reset();

  const Routes& routes(TileIndex tile) const { return routes_[static_cast<std::size_t>(tile)]; }
  void set_routes(TileIndex tile, const Routes& routes);
  /// `route` must be valid for the tile.
  void set_route(TileIndex tile, const Route& route);

  /// The path of a message that enters the tile's router at a port. Throws ProgramError if it reaches a router's port,
  /// or a tile, twice: in a loop, or on two paths. Valid until a route of the color changes.
  const Path& path(TileIndex tile, isa::Port port, int color);

 private:
  struct Kept {
    Path path;
    bool valid = false;
  };

  Path follow(TileIndex tile, isa::Port port, int color) const;

  const machine::WaferShape shape_;
  std::vector<Routes> routes_;                 ///< [tile]
  std::vector<std::vector<Kept>> from_ramps_;  ///< [color][tile]
  std::vector<std::vector<Kept>> from_west_;   ///< [color][tile]: messages from the west edge
};

}  // namespace weft::model
