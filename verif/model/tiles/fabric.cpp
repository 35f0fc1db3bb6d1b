#include "verif/model/tiles/fabric.hpp"

#include <string>

#include "verif/model/machine/machine.hpp"
#include "verif/model/tiles/names.hpp"

namespace weft::model {

using isa::Port;

namespace {

/// The neighbour's port that receives what leaves through this port.
constexpr Port opposite(Port port) {
  switch (port) {
    case Port::N:
      return Port::S;
    case Port::E:
      return Port::W;
    case Port::S:
      return Port::N;
    default:
      return Port::E;
  }
}

}  // namespace

Fabric::Fabric(const machine::WaferShape& shape) : shape_(shape) { reset(); }

void Fabric::reset() {
  const int tiles = shape_.rows * shape_.cols;
  routes_.clear();
  for (TileIndex tile = 0; tile < tiles; ++tile) routes_.emplace_back(tile % shape_.cols == shape_.cols - 1);
  from_ramps_.assign(static_cast<std::size_t>(shape_.colors), std::vector<Kept>(static_cast<std::size_t>(tiles)));
  from_west_ = from_ramps_;
}

void Fabric::set_routes(TileIndex tile, const Routes& routes) {
  routes_[static_cast<std::size_t>(tile)] = routes;
  for (auto* all : {&from_ramps_, &from_west_})
    for (auto& color : *all)
      for (Kept& kept : color) kept.valid = false;
}

void Fabric::set_route(TileIndex tile, const Route& route) {
  routes_[static_cast<std::size_t>(tile)].at(route.port, route.color) = route.outputs;
  for (auto* all : {&from_ramps_, &from_west_})
    for (Kept& kept : (*all)[static_cast<std::size_t>(route.color)]) kept.valid = false;
}

const Path& Fabric::path(TileIndex tile, Port port, int color) {
  auto& all = port == Port::Ramp ? from_ramps_ : from_west_;
  Kept& kept = all[static_cast<std::size_t>(color)][static_cast<std::size_t>(tile)];
  if (!kept.valid) {
    kept.path = follow(tile, port, color);
    kept.valid = true;
  }
  return kept.path;
}

Path Fabric::follow(TileIndex start, Port entry, int color) const {
  struct Place {
    TileIndex tile;
    Port port;
  };
  const auto name = [this](TileIndex tile) {
    return "row " + std::to_string(tile / shape_.cols) + " column " + std::to_string(tile % shape_.cols);
  };
  // Ports visited by the message: the input ports of each tile, and its outputs to the ramp and to the outlet.
  constexpr unsigned kToRamp = 1u << kPorts, kToOutlet = 2u << kPorts;
  std::vector<unsigned> passed(routes_.size());
  const auto once = [&](TileIndex tile, unsigned what) {
    unsigned& all = passed[static_cast<std::size_t>(tile)];
    if (all & what)
      throw ProgramError(name(tile) + ": a message on " + color_name(color) + " from " + name(start) +
                         (entry == Port::W ? "'s west edge" : "") +
                         " arrives twice. HINT: the routes of a color must be a tree for each sender");
    all |= what;
  };
  Path path;
  std::vector<Place> open{{start, entry}};
  while (!open.empty()) {
    const auto [tile, port] = open.back();
    open.pop_back();
    once(tile, bit(port));
    const unsigned outputs = routes_[static_cast<std::size_t>(tile)].at(port, color);
    if (!outputs) path.ends.push_back(tile);
    if (outputs & bit(Port::Ramp)) {
      once(tile, kToRamp);
      path.ramps.push_back(tile);
    }
    for (const Port out : {Port::N, Port::E, Port::S, Port::W}) {
      if (!(outputs & bit(out))) continue;
      if (out == Port::W && tile % shape_.cols == 0) {
        once(tile, kToOutlet);
        path.outlets.push_back(tile / shape_.cols);
      } else {
        const int step = out == Port::N ? -shape_.cols : out == Port::S ? shape_.cols : out == Port::E ? 1 : -1;
        open.push_back({tile + step, opposite(out)});
      }
    }
  }
  return path;
}

}  // namespace weft::model
