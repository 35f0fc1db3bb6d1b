/// The routers of all tiles: where a message goes that enters one of them.
///
/// Paths are followed through the routes once and kept until a route of their color changes.
#pragma once

#include <cstdint>
#include <vector>

#include "isa.hpp"
#include "sw/machine/shape.hpp"
#include "verif/model/machine/routes.hpp"

namespace weft::model {

/// A tile, by row * cols + col.
using TileIndex = int;

/// Where one message goes.
struct Path {
  std::vector<TileIndex> ramps;  ///< tiles that get it
  std::vector<int> outlets;      ///< rows where it leaves the wafer
  std::vector<TileIndex> ends;   ///< tiles whose router has no route for it

  /// It goes to one tile and nowhere else.
  bool is_private() const { return ramps.size() == 1 && outlets.empty() && ends.empty(); }
};

class Fabric {
 public:
  explicit Fabric(const WaferShape& shape);
  /// All routes as after reset.
  void reset();

  const Routes& routes(TileIndex tile) const { return routes_[static_cast<std::size_t>(tile)]; }
  void set_routes(TileIndex tile, const Routes& routes);
  /// `route` is one that the tile can have.
  void set_route(TileIndex tile, const Route& route);

  /// Of a message that enters the tile's router at a port. Throws ProgramError if it comes to a router's port, or to a
  /// tile, twice: around a loop, or on two ways. Valid until a route of the color changes.
  const Path& path(TileIndex tile, isa::Port port, int color);

 private:
  struct Kept {
    Path path;
    bool valid = false;
  };

  Path follow(TileIndex tile, isa::Port port, int color) const;

  const WaferShape shape_;
  std::vector<Routes> routes_;                 ///< [tile]
  std::vector<std::vector<Kept>> from_ramps_;  ///< [color][tile]
  std::vector<std::vector<Kept>> from_west_;   ///< [color][tile]: messages that come from the west edge
};

}  // namespace weft::model
