/// Scheduler: runs a network with bounded buffers until no unit can act.
///
/// Worklist algorithm: a unit that may be able to act is in a list. Each unit taken from the list does all it can, and
/// lists the units that may be able to act as a result: its neighbours up and down the stream. Only for
/// sw/deadlock/scheduler*.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "sw/deadlock/network.hpp"

namespace weft::deadlock {

inline constexpr std::uint32_t kOutSize = 15;  // entries of a PE's out queue, in a general tile for each color
inline constexpr std::uint32_t kHandoffs = 2;
inline constexpr int kRamp = 4, kWestPort = 3;

/// FIFO of at most `Size` items.
template <class T, unsigned Size>
class RingBuffer {
 public:
  bool empty() const { return n_ == 0; }
  unsigned size() const { return n_; }
  T& front() { return items_[first_]; }
  const T& front() const { return items_[first_]; }
  const T& operator[](unsigned i) const { return items_[(first_ + i) % Size]; }
  void push(T item) { items_[(first_ + n_++) % Size] = item; }
  void pop() { first_ = (first_ + 1) % Size, --n_; }

 private:
  std::array<T, Size> items_{};
  unsigned first_ = 0, n_ = 0;
};

/// Entry of an out queue.
struct OutEntry {
  std::uint8_t color, words;
};
/// Entry of MP.
struct MpEntry {
  bool last;
  std::uint8_t count;
};

using OutQueue = RingBuffer<OutEntry, 16>;

/// Progress of a tile's threads, and contents of its PE.
struct TileProgress {
  const Trace* trace;
  // main
  std::size_t main = 0;
  std::uint32_t main_done = 0;  // messages of its event; for Dot those of finished groups
  std::uint32_t lists = 0;      // Dot: messages taken
  int forks = 0;
  // psum
  std::size_t psum = 0;
  std::uint32_t psum_done = 0;  // beats of its event; for Reduce words of MP's front entry
  std::uint32_t held = 0;       // words of its beat
  int halted = 0, ended = 0;    // parts
  RingBuffer<MpEntry, 2> mp = {};
  std::uint32_t pm = 0, w = 0;
};

class Scheduler {
 public:
  Scheduler(const Network& n, const TakeSteps& take)
      : n_(n), agents_(n), take_(take), depth_(static_cast<std::uint32_t>(n.depth)), colors_(n.shape.colors) {
    const auto tiles = static_cast<std::size_t>(n.tiles());
    for (const Trace* trace : n.traces) tiles_.push_back({.trace = trace});
    queues_.resize(tiles * 5 * static_cast<std::size_t>(colors_));
    pending_.resize(queues_.size());
    ramp_.resize(tiles * static_cast<std::size_t>(colors_));
    outs_.resize(tiles * static_cast<std::size_t>(out_queues()));
    cells_.resize(static_cast<std::size_t>(n.shape.rows));
    served_.resize(cells_.size());
    next_.resize(n.valves.size());
    valves_first_ = 0;
    cells_first_ = valves_first_ + n.shape.valves;
    tiles_first_ = cells_first_ + n.shape.rows;
    queues_first_ = tiles_first_ + n.tiles();
    listed_.resize(static_cast<std::size_t>(queues_first_) + queues_.size());
  }

  Outcome run();

 private:
  std::size_t queue(int tile, int port, int color) const {
    return (static_cast<std::size_t>(tile) * 5 + static_cast<std::size_t>(port)) * static_cast<std::size_t>(colors_) +
           static_cast<std::size_t>(color);
  }
  std::uint32_t& ramp(int tile, int color) {
    return ramp_[static_cast<std::size_t>(tile) * static_cast<std::size_t>(colors_) + static_cast<std::size_t>(color)];
  }
  /// Out queues of a tile.
  int out_queues() const { return n_.shape.general ? colors_ : 1; }
  OutQueue& out(int tile, int color) {
    const int queues = out_queues(), own = n_.shape.general ? color : 0;
    return outs_[static_cast<std::size_t>(tile) * static_cast<std::size_t>(queues) + static_cast<std::size_t>(own)];
  }
  TileProgress& tile(int t) { return tiles_[static_cast<std::size_t>(t)]; }

  void list(int unit) {
    if (listed_[static_cast<std::size_t>(unit)]) return;
    listed_[static_cast<std::size_t>(unit)] = true;
    open_.push_back(unit);
  }
  void list_valve(int v) { list(valves_first_ + v); }
  void list_cell(int r) { list(cells_first_ + r); }
  void list_tile(int t) { list(tiles_first_ + t); }
  void list_queue(int t, int port, int color) { list(queues_first_ + static_cast<int>(queue(t, port, color))); }
  /// Lists the units that fill this queue, which has new room.
  void list_upstream(int t, int port, int color);
  void did(std::uint32_t agent, std::uint32_t n) {
    if (n == 0) return;
    if (!order_.empty() && order_.back().agent == agent) {
      order_.back().n += n;
      return;
    }
    if (order_.size() == kOrderPiece) hand_over();
    order_.push_back({agent, n});
  }
  void hand_over() {
    take_(order_);
    order_.clear();
  }

  void run_valve(int v);
  void run_cell(int r);
  void run_queue(int t, int port, int color);
  void run_tile(int t);
  bool run_main(int t);
  bool run_dot(int t, const Event& e);
  bool run_psum(int t);
  bool run_reduce(int t, const Event& e);
  bool run_out(int t, int color);
  std::uint32_t take_w(int t, std::uint32_t most);
  void taken(int t, int color);

  Outcome outcome();
  machine::HangSnapshot hang_snapshot();
  void show_threads(int t, machine::TileHang& s);

  const Network& n_;
  const Agents agents_;
  const TakeSteps& take_;
  Order order_;  // the current piece
  const std::uint32_t depth_;
  const int colors_;
  std::vector<TileProgress> tiles_;
  std::vector<OutQueue> outs_;  // [tile], of general tiles [tile][color]
  std::vector<std::uint32_t> queues_, ramp_;
  std::vector<std::uint8_t> pending_;
  std::vector<std::deque<int>> cells_;
  std::vector<std::uint8_t> served_;
  std::vector<std::size_t> next_;
  std::vector<std::uint64_t> delivered_ = std::vector<std::uint64_t>(machine::WaferShape::kMostRows);
  int valves_first_, cells_first_, tiles_first_, queues_first_;
  std::vector<bool> listed_;
  std::vector<int> open_;
};

}  // namespace weft::deadlock
