/// Where messages come from and go to, by the routes of a wafer that stands still, and who holds them up.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sw/hang/threads.hpp"

namespace weft::hang {

constexpr std::size_t number(isa::Port port) { return static_cast<std::size_t>(port); }
/// Of the neighbour there, the port to here; Ramp's is Ramp.
constexpr isa::Port opposite(isa::Port port) {
  return port == isa::Port::Ramp ? port : static_cast<isa::Port>(static_cast<unsigned>(port) ^ 2);
}

/// One color's queue at a router's input.
struct Queue {
  int tile = 0;
  isa::Port port = isa::Port::Ramp;
  int color = 0;
  friend bool operator==(const Queue&, const Queue&) = default;
};

/// A link whose credits and messages do not add up to what its buffer holds.
struct LostCredit {
  std::string link;  ///< `tile (1,1) to the south`
  int tile = -1;     ///< the sender; -1: the west edge
  int to = -1;       ///< the receiver, -1: the west edge
  bool to_pe = false;
  int color = 0;
  int lost = 0;  ///< less than 0: too many
};

/// What a search along routes has found.
struct Found {
  std::vector<ThreadRef> threads;    ///< who should send, or take
  std::vector<Queue> without_route;  ///< messages that come here have no route
  bool from_edge = false;            ///< the west edge sends it
  bool host = false;                 ///< the host does not take, or has no more
};

class Paths {
 public:
  explicit Paths(const Standstill& s) : s_(s) {}

  /// Who sends a color to a tile's PE, and if words of it are under way and held up, who holds them up.
  Found senders(int tile, int color) const;
  /// Who would have to take so that the front of a queue goes on.
  Found takers(const Queue& queue) const;
  /// Who would have to take so that W brings the tile something; `host` and nobody: the stream has ended.
  Found holds_w(int tile) const;
  /// Where a word that psum sends meets a router without a route for it.
  std::vector<Queue> ends(int tile, int color) const;
  /// Places that routes of neighbours lead to, without a route of their own, of tiles whose NO_ROUTE is set.
  std::vector<Queue> missing(int color) const;
  /// All links that have lost credits, or have too many.
  std::vector<LostCredit> lost_credits() const;

  std::string name(int tile) const;
  std::string name(const Queue& queue) const;

 private:
  const TileStandstill& at(int tile) const { return s_.tiles[static_cast<std::size_t>(tile)]; }
  unsigned route(const Queue& q) const;
  std::uint32_t waiting(const Queue& q) const;
  /// The tile there; -1: none.
  int neighbour(int tile, isa::Port port) const;
  void take(const Queue& queue, Found& found, std::vector<Queue>& seen) const;

  const Standstill& s_;
};

/// `RING`, `color 7`
std::string color_name(int color);

}  // namespace weft::hang
