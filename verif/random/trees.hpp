/// Random routes: for each color, trees from some tiles to others and to the outlets.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sw/machine/shape.hpp"
#include "verif/random/dice.hpp"

namespace weft::random {

/// Where the messages go that a tile sends on a color.
struct Tree {
  int color = 0, sender = 0;
  std::vector<int> receivers;  ///< tiles
  std::vector<int> outlets;    ///< rows
};

/// What a color's routes are for.
enum class Role : std::uint8_t { None, Trees, Chain };

struct Routes {
  /// Sets of outputs, [color][tile][input port]. W has what it has after reset.
  std::vector<std::vector<std::array<std::uint8_t, 5>>> outputs;
  std::vector<Role> roles;  ///< [color]
  /// Of all colors. A chain has one for each tile, to its neighbour in the west.
  std::vector<Tree> trees;
  bool ends = false;  ///< some tree has a branch to a router without a route

  /// The tree that begins at a tile. Null: there is none.
  const Tree* from(int color, int tile) const {
    for (const Tree& t : trees)
      if (t.color == color && t.sender == tile) return &t;
    return nullptr;
  }
};

/// `chains`: percent of the colors that are chains.
Routes any_routes(Dice& dice, const WaferShape& shape, int chains);
/// Those of the compiler, for colors 1 to 3.
Routes kernel_routes(const WaferShape& shape);

}  // namespace weft::random
