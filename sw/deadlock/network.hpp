/// A phase as a network of threads, routers and buffers, and the orders in which it can run
/// (docs/explanation/hangs.md).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sw/deadlock/trace.hpp"
#include "sw/machine/hang.hpp"

namespace weft::deadlock {

struct Network {
  static constexpr int kCommand = -1, kNobody = -2;

  machine::WaferShape shape;
  int depth = isa::kDepth;
  std::vector<const Routes*> routes;                        ///< [tile]
  std::vector<const Trace*> traces;                         ///< [tile]
  std::vector<const std::vector<std::uint32_t>*> programs;  ///< [tile], for reports
  std::vector<std::vector<int>> valves;                     ///< [valve], messages: a row, kCommand or kNobody

  int tiles() const { return shape.rows * shape.cols; }
  int row(int tile) const { return tile / shape.cols; }
  int east(int tile) const { return shape.cols - 1 - tile % shape.cols; }
  bool last_column(int tile) const { return east(tile) == 0; }
  int first_row(int valve) const { return valve * shape.rows / shape.valves; }
  int valve_of(int row) const;
  /// The outputs of a tile's route. Routes that were read for a whole row send W east in every column; here the last
  /// column does not.
  unsigned outputs(int tile, int port, int color) const;
  /// The tile that an output leads to; -1: the edge.
  int neighbour(int tile, int out) const;
  /// Beats of an event of psum in a tile.
  std::uint32_t times(int tile, const Event& e) const {
    return e.per_east ? e.n * static_cast<std::uint32_t>(east(tile)) : e.n;
  }
  std::uint32_t takes(int tile, const Event& e) const { return e.not_last && last_column(tile) ? 0 : e.takes; }
};

/// The agents of a network, with the numbers by which an order refers to them.
struct Agents {
  explicit Agents(const Network& n)
      : rows(n.shape.rows),
        valves(n.shape.valves),
        tiles(n.tiles()),
        colors(n.shape.colors),
        general(n.shape.general) {}

  std::uint32_t valve(int v) const { return static_cast<std::uint32_t>(v); }
  /// `branch` 0: to the tile, or nowhere; 1: to the next cell.
  std::uint32_t cell(int row, int branch) const { return static_cast<std::uint32_t>(valves + 2 * row + branch); }
  std::uint32_t main(int tile) const { return static_cast<std::uint32_t>(valves + 2 * rows + tile); }
  std::uint32_t gather(int tile) const { return main(tile + tiles); }
  std::uint32_t psum(int tile) const { return main(tile + 2 * tiles); }
  /// The out queue for a color.
  std::uint32_t out(int tile, int color) const {
    return general ? branch(tiles, 0, 0, 0) + static_cast<std::uint32_t>(tile * colors + color)
                   : main(tile + 3 * tiles);
  }
  /// A branch of a router's queue; out 5: messages without a route are dropped.
  std::uint32_t branch(int tile, int port, int color, int out) const {
    return main(4 * tiles) + static_cast<std::uint32_t>(((tile * 5 + port) * colors + color) * 6 + out);
  }
  std::string name(std::uint32_t agent) const;

  int rows, valves, tiles, colors;
  bool general;  ///< tiles have an out queue for each color
};

/// `n` consecutive steps of an agent: messages passed on, beats' words and beats, entries, commands.
struct Step {
  std::uint32_t agent = 0, n = 0;
};
using Order = std::vector<Step>;

/// The end of a phase.
struct Outcome {
  bool done = false;
  machine::HangSnapshot hang_snapshot;  ///< if not done: the state of the hang, for sw/deadlock
  std::vector<std::string> left;        ///< if done: words and messages that no thread has taken
};

/// Receives an order in pieces.
using TakeSteps = std::function<void(std::span<const Step>)>;

/// Runs the network until no agent can act. Passes the steps to `take`, kOrderPiece at a time: an order has several
/// steps for each message and tile, and is not kept. Every other order ends in the same state.
Outcome schedule(const Network& network, const TakeSteps& take);
inline constexpr std::size_t kOrderPiece = std::size_t{1} << 16;

/// As above, but appends the whole order to `order`.
Outcome schedule(const Network& network, Order& order);

class CertificateChecker;

/// Checker of an order as a certificate: each step must be possible when it is reached, no buffer may overflow, and at
/// the end all threads must be done and all buffers empty. Independent of the scheduler that found the order.
class Verifier {
 public:
  /// `network` must outlive it.
  explicit Verifier(const Network& network);
  ~Verifier();

  /// Checks the order's next piece. Steps after a wrong one are ignored.
  void apply(std::span<const Step> steps);
  /// Ends the order. Returns the first error, or an empty string.
  std::string end();

 private:
  const Network& network_;
  std::unique_ptr<CertificateChecker> checker_;
  std::size_t at_ = 0;
  std::string wrong_;
};

/// Checks an order in one piece.
std::string verify(const Network& network, const Order& order);

}  // namespace weft::deadlock
