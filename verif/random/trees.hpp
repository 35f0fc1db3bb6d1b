/// Random routes: for each color, trees from some tiles to others and to the outlets.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sw/machine/shape.hpp"
#include "verif/random/rng.hpp"

namespace weft::random {

/// Destinations of the messages that a tile sends on a color.
struct Tree {
  int color = 0, sender = 0;
  std::vector<int> receivers;  ///< tiles
  std::vector<int> outlets;    ///< rows
};

/// Use of a color's routes.
enum class Role : std::uint8_t { None, Trees, Chain };

struct Routes {
  /// Sets of outputs, [color][tile][input port]. W keeps its routes after reset.
  std::vector<std::vector<std::array<std::uint8_t, 5>>> outputs;
  std::vector<Role> roles;  ///< [color]
  /// Trees of all colors. A chain has one for each tile, to its western neighbour.
  std::vector<Tree> trees;
  bool ends = false;  ///< some tree has a branch to a router without a route

  /// The tree that begins at a tile. Null if there is none.
  const Tree* from(int color, int tile) const {
    for (const Tree& t : trees)
      if (t.color == color && t.sender == tile) return &t;
    return nullptr;
  }
};

/// `chains`: percentage of colors that are chains.
Routes any_routes(Rng& rng, const machine::WaferShape& shape, int chains);
/// The compiler's routes, for colors 1 to 3.
Routes kernel_routes(const machine::WaferShape& shape);

}  // namespace weft::random
