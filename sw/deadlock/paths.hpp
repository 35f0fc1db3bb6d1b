/// Paths of messages along the routes of a hung wafer: senders, receivers, and threads that block them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sw/deadlock/threads.hpp"

namespace weft::deadlock {

constexpr std::size_t number(isa::Port port) { return static_cast<std::size_t>(port); }
/// The neighbour's port that leads back through `port`; Ramp for Ramp.
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
  int lost = 0;  ///< negative: surplus credits
};

/// Result of a search along routes.
struct Found {
  std::vector<ThreadRef> threads;    ///< that should send, or take
  std::vector<Queue> without_route;  ///< queues without a route for messages that arrive there
  bool from_edge = false;            ///< the west edge sends the messages
  bool host = false;                 ///< the host does not take messages, or has no more to send
};

class Paths {
 public:
  explicit Paths(const machine::HangSnapshot& s) : s_(s) {}

  /// Threads that send a color to a tile's PE; if words of the color are in flight but blocked, the threads that block
  /// them.
  Found senders(int tile, int color) const;
  /// Threads that must take messages before the first message of a queue can advance.
  Found receivers(const Queue& queue) const;
  /// Threads that must take messages before W can bring the tile a message; `host` without threads: the stream has
  /// ended.
  Found holds_w(int tile) const;
  /// Queues at which a word sent by psum finds no route.
  std::vector<Queue> ends(int tile, int color) const;
  /// Queues that routes of neighbours lead to but that have no route, in tiles whose NO_ROUTE flag is set.
  std::vector<Queue> missing(int color) const;
  /// All links that have lost credits, or have too many.
  std::vector<LostCredit> lost_credits() const;

  std::string name(int tile) const;
  std::string name(const Queue& queue) const;

 private:
  const machine::TileHang& at(int tile) const { return s_.tiles[static_cast<std::size_t>(tile)]; }
  unsigned route(const Queue& q) const;
  std::uint32_t waiting(const Queue& q) const;
  /// The neighbouring tile at a port; -1: none.
  int neighbour(int tile, isa::Port port) const;
  void take(const Queue& queue, Found& found, std::vector<Queue>& seen) const;

  const machine::HangSnapshot& s_;
};

/// `RING`, `color 7`
std::string color_name(int color);

}  // namespace weft::deadlock
