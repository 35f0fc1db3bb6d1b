/// Routes of a stream.
#pragma once

#include <vector>

#include "host/programs/layout.hpp"
#include "sw/machine/message.hpp"
#include "sw/machine/shape.hpp"

namespace weft::programs {

/// The color on which tiles answer the host, among others.
inline constexpr int kWest = static_cast<int>(machine::Color::West);

/// A set of outputs of a route.
constexpr unsigned bit(machine::Port port) { return 1U << static_cast<unsigned>(port); }

/// The outputs of a tile's router for words from one port.
struct Route {
  Tile tile;
  machine::Port port{};
  unsigned outputs = 0;  ///< bit by machine::Port
};

/// The routes of a stream, with the tiles at its ends.
struct StreamRoutes {
  std::vector<Route> routes;
  std::vector<Tile> senders, receivers;  ///< tiles whose programs send and take words
  bool to_host = false;
};

/// Throws Refusal, with the stream's name as its subject, for a region or a tile outside of the mesh, for a direction
/// that is no neighbour, and for a path whose tiles are not neighbours or occur twice.
StreamRoutes routes_of(const Stream& stream, const machine::WaferShape& shape);

/// Throws Refusal if the region is not part of the mesh; `subject`: of the message.
void check_region(const std::string& subject, const Region& region, const machine::WaferShape& shape);

}  // namespace weft::programs
