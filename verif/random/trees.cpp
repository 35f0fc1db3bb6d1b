#include "verif/random/trees.hpp"

#include <algorithm>

namespace weft::random {

namespace {

constexpr int kNorth = 0, kEast = 1, kSouth = 2, kWest = 3, kRamp = 4;

Routes no_routes(const machine::WaferShape& shape) {
  Routes r;
  r.outputs.assign(static_cast<std::size_t>(shape.colors),
                   std::vector<std::array<std::uint8_t, 5>>(static_cast<std::size_t>(shape.rows * shape.cols)));
  r.roles.assign(static_cast<std::size_t>(shape.colors), Role::None);
  return r;
}

/// Grows the trees of one color. A router's input port is in at most one tree, and so is a tile's ramp, so that
/// messages of two senders never meet.
class Grower {
 public:
  Grower(Rng& rng, const machine::WaferShape& shape, int color, Routes& routes)
      : rng_(rng),
        shape_(shape),
        routes_(routes),
        outputs_(routes.outputs[static_cast<std::size_t>(color)]),
        color_(color),
        used_(outputs_.size()),
        got_(outputs_.size()) {}

  void grow_from(int tile) {
    if (used_[static_cast<std::size_t>(tile)] >> kRamp & 1) return;
    tree_ = {color_, tile, {}, {}};
    ends_ = rng_.chance(3);
    branches_ = 0;
    if (grow(tile, kRamp)) routes_.trees.push_back(tree_);
  }

 private:
  /// Creates routes for an input port of a tile. Returns false, and keeps nothing, if no route leads anywhere.
  bool grow(int tile, int port) {
    const auto at = static_cast<std::size_t>(tile);
    used_[at] |= 1u << port;
    unsigned outputs = 0;
    for (int n = 0, out = rng_.below(5); n < 5; ++n, out = (out + 1) % 5) {
      const bool wanted = rng_.chance(branches_ > 12 ? 15 : out == kRamp ? 60 : 40);
      if (wanted && branch(tile, port, out)) outputs |= 1u << out;
    }
    if (!outputs && (branch(tile, port, kRamp))) outputs = 1u << kRamp;
    ++branches_;
    outputs_[at][static_cast<std::size_t>(port)] = static_cast<std::uint8_t>(outputs);
    if (outputs) return true;
    if (!ends_ || port == kRamp) return used_[at] &= ~(1u << port), false;
    return routes_.ends = true;
  }

  bool branch(int tile, int port, int out) {
    const auto at = static_cast<std::size_t>(tile);
    const int row = tile / shape_.cols, col = tile % shape_.cols;
    if (out == kRamp) {
      if (got_[at] || (color_ == 3 && col == shape_.cols - 1)) return false;  // there rcv takes nothing from WEST
      got_[at] = true;
      tree_.receivers.push_back(tile);
      return true;
    }
    if (out == port) return false;
    if (out == kWest && col == 0) {
      if (std::ranges::find(tree_.outlets, row) != tree_.outlets.end()) return false;
      tree_.outlets.push_back(row);
      return true;
    }
    if ((out == kNorth && row == 0) || (out == kSouth && row == shape_.rows - 1) ||
        (out == kEast && col == shape_.cols - 1))
      return false;
    const int next = tile + (out == kNorth ? -shape_.cols : out == kSouth ? shape_.cols : out == kEast ? 1 : -1);
    const int entry = out ^ 2;
    if (used_[static_cast<std::size_t>(next)] >> entry & 1) return false;
    return grow(next, entry);
  }

  Rng& rng_;
  const machine::WaferShape& shape_;
  Routes& routes_;
  std::vector<std::array<std::uint8_t, 5>>& outputs_;
  const int color_;
  std::vector<unsigned> used_;  ///< [tile], input ports used by trees
  std::vector<bool> got_;       ///< [tile], its ramp is used by a tree
  Tree tree_;
  int branches_ = 0;
  bool ends_ = false;  ///< a branch may end in a router without a route
};

void chain(const machine::WaferShape& shape, int color, Routes& routes) {
  auto& outputs = routes.outputs[static_cast<std::size_t>(color)];
  for (int tile = 0; tile < shape.rows * shape.cols; ++tile) {
    const int col = tile % shape.cols;
    outputs[static_cast<std::size_t>(tile)][kRamp] = 1 << kWest;
    outputs[static_cast<std::size_t>(tile)][kEast] = 1 << kRamp;
    Tree tree{color, tile, {}, {}};
    if (col)
      tree.receivers = {tile - 1};
    else
      tree.outlets = {tile / shape.cols};
    routes.trees.push_back(tree);
  }
  routes.roles[static_cast<std::size_t>(color)] = Role::Chain;
}

}  // namespace

Routes any_routes(Rng& rng, const machine::WaferShape& shape, int chains) {
  Routes routes = no_routes(shape);
  for (int color = 1; color < shape.colors; ++color) {
    if (rng.chance(color == 3 ? 60 : chains)) {
      chain(shape, color, routes);
    } else if (!rng.chance(5)) {
      routes.roles[static_cast<std::size_t>(color)] = Role::Trees;
      Grower grower(rng, shape, color, routes);
      for (int n = rng.between(1, 4); n > 0; --n) grower.grow_from(rng.below(shape.rows * shape.cols));
    }
  }
  return routes;
}

Routes kernel_routes(const machine::WaferShape& shape) {
  Routes routes = no_routes(shape);
  if (shape.colors < 4) return routes;
  for (int tile = 0; tile < shape.rows * shape.cols; ++tile) {
    const auto at = static_cast<std::size_t>(tile);
    const int row = tile / shape.cols;
    const bool first = row == 0, last = row == shape.rows - 1;
    auto &ring = routes.outputs[1][at], &north = routes.outputs[2][at];
    if (first && last) {
      ring[kRamp] = north[kRamp] = 1 << kRamp;
      continue;
    }
    ring[kRamp] = static_cast<std::uint8_t>(1 << (last ? kNorth : kSouth));
    if (!first) ring[kNorth] = 1 << kRamp;
    if (!last) ring[kSouth] = static_cast<std::uint8_t>(1 << (first ? kRamp : kNorth));
    if (!first) north[kRamp] = 1 << kNorth;
    if (!last) north[kSouth] = 1 << kRamp;
  }
  chain(shape, 3, routes);
  return routes;
}

}  // namespace weft::random
