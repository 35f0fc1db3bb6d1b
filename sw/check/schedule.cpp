/// Runs a network with bounded buffers as far as it goes.
///
/// Whoever may have found something to do is in a list; it does all it can, and puts those into the list who may have
/// something to do after that: its neighbours up and down the stream.
#include <algorithm>
#include <array>
#include <deque>

#include "sw/check/network.hpp"

namespace weft::check {
namespace {

using Kind = Event::Kind;

constexpr std::uint32_t kOutSize = 15;  // entries of a PE's out queue
constexpr std::uint32_t kHandoffs = 2;
constexpr std::uint32_t kGathered = 33;  // messages that vdot's lists hold
constexpr int kRamp = 4, kWestPort = 3;

/// Some messages of at most 16 kinds in a row.
template <class T, unsigned Size>
class Ring {
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

struct Entry {
  std::uint8_t color, words;
};
struct Handoff {
  bool last;
  std::uint8_t count;
};

struct Tile {
  const Trace* trace;
  // main
  std::size_t main = 0;
  std::uint32_t main_done = 0;  // of its event: messages, of Dot in groups that are through
  std::uint32_t lists = 0;      // Dot: messages taken
  int forks = 0;
  // psum
  std::size_t psum = 0;
  std::uint32_t psum_done = 0;  // beats of its event; of Reduce words of MP's front entry
  std::uint32_t held = 0;       // words of its beat
  int halted = 0, ended = 0;    // parts
  Ring<Handoff, 2> mp = {};
  std::uint32_t pm = 0, w = 0;
  Ring<Entry, 16> out = {};
};

class Scheduler {
 public:
  Scheduler(const Network& n, Order& order)
      : n_(n), agents_(n), order_(order), depth_(static_cast<std::uint32_t>(n.depth)), colors_(n.shape.colors) {
    const auto tiles = static_cast<std::size_t>(n.tiles());
    for (const Trace* trace : n.traces) tiles_.push_back({.trace = trace});
    queues_.resize(tiles * 5 * static_cast<std::size_t>(colors_));
    pending_.resize(queues_.size());
    ramp_.resize(tiles * static_cast<std::size_t>(colors_));
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
  Tile& tile(int t) { return tiles_[static_cast<std::size_t>(t)]; }

  void list(int unit) {
    if (listed_[static_cast<std::size_t>(unit)]) return;
    listed_[static_cast<std::size_t>(unit)] = true;
    open_.push_back(unit);
  }
  void list_valve(int v) { list(valves_first_ + v); }
  void list_cell(int r) { list(cells_first_ + r); }
  void list_tile(int t) { list(tiles_first_ + t); }
  void list_queue(int t, int port, int color) { list(queues_first_ + static_cast<int>(queue(t, port, color))); }
  /// Who fills this queue has room.
  void list_upstream(int t, int port, int color);
  void did(std::uint32_t agent, std::uint32_t n) {
    if (n == 0) return;
    if (!order_.empty() && order_.back().agent == agent)
      order_.back().n += n;
    else
      order_.push_back({agent, n});
  }

  void run_valve(int v);
  void run_cell(int r);
  void run_queue(int t, int port, int color);
  void run_tile(int t);
  bool run_main(int t);
  bool run_dot(int t, const Event& e);
  bool run_psum(int t);
  bool run_reduce(int t, const Event& e);
  bool run_out(int t);
  std::uint32_t take_w(int t, std::uint32_t most);
  void taken(int t, int color);

  Outcome outcome();
  Standstill standstill();
  void show_threads(int t, TileStandstill& s);

  const Network& n_;
  const Agents agents_;
  Order& order_;
  const std::uint32_t depth_;
  const int colors_;
  std::vector<Tile> tiles_;
  std::vector<std::uint32_t> queues_, ramp_;
  std::vector<std::uint8_t> pending_;
  std::vector<std::deque<int>> cells_;
  std::vector<std::uint8_t> served_;
  std::vector<std::size_t> next_;
  std::vector<std::uint64_t> delivered_ = std::vector<std::uint64_t>(128);
  int valves_first_, cells_first_, tiles_first_, queues_first_;
  std::vector<bool> listed_;
  std::vector<int> open_;
};

void Scheduler::list_upstream(int t, int port, int color) {
  if (port == kRamp) return list_tile(t);
  const int from = n_.neighbour(t, port);
  if (from < 0) {
    if (port == kWestPort) list_cell(n_.row(t));
    return;
  }
  for (int p = 0; p < 5; ++p)
    if (queues_[queue(from, p, color)]) list_queue(from, p, color);
}

void Scheduler::run_valve(int v) {
  const auto& messages = n_.valves[static_cast<std::size_t>(v)];
  std::size_t& next = next_[static_cast<std::size_t>(v)];
  auto& cell = cells_[static_cast<std::size_t>(n_.first_row(v))];
  std::uint32_t n = 0;
  while (next < messages.size() && cell.size() < depth_) cell.push_back(messages[next++]), ++n;
  did(agents_.valve(v), n);
  if (n) list_cell(n_.first_row(v));
}

void Scheduler::run_cell(int r) {
  auto& cell = cells_[static_cast<std::size_t>(r)];
  std::uint8_t& served = served_[static_cast<std::size_t>(r)];
  const bool last = r + 1 == n_.first_row(n_.valve_of(r) + 1);
  const int t = r * n_.shape.cols;
  bool popped = false;
  while (!cell.empty()) {
    const int m = cell.front();
    const unsigned wanted = (m == Network::kCommand || m == r ? 1u : 0u) | (m != r && !last ? 2u : 0u);
    if (!wanted) did(agents_.cell(r, 0), 1);
    if ((wanted & ~served & 1u) && queues_[queue(t, kWestPort, 0)] < depth_) {
      ++queues_[queue(t, kWestPort, 0)];
      served |= 1;
      did(agents_.cell(r, 0), 1);
      list_queue(t, kWestPort, 0);
    }
    if ((wanted & ~served & 2u) && cells_[static_cast<std::size_t>(r) + 1].size() < depth_) {
      cells_[static_cast<std::size_t>(r) + 1].push_back(m);
      served |= 2;
      did(agents_.cell(r, 1), 1);
      list_cell(r + 1);
    }
    if (wanted & ~served) break;
    cell.pop_front();
    served = 0;
    popped = true;
  }
  if (!popped) return;
  if (r == n_.first_row(n_.valve_of(r)))
    list_valve(n_.valve_of(r));
  else
    list_cell(r - 1);
}

void Scheduler::run_queue(int t, int port, int color) {
  const std::size_t q = queue(t, port, color);
  const unsigned outputs = n_.outputs(t, port, color);
  std::uint8_t& pending = pending_[q];
  bool popped = false;
  while (queues_[q]) {
    if (!pending) pending = static_cast<std::uint8_t>(outputs);
    if (!outputs) did(agents_.branch(t, port, color, 5), 1);
    for (int out = 0; out < 5; ++out) {
      if (!(pending >> out & 1)) continue;
      if (out == kRamp) {
        std::uint32_t& into = color == 0 ? tile(t).w : ramp(t, color);
        if (into >= depth_) continue;
        ++into;
        list_tile(t);
      } else if (const int to = n_.neighbour(t, out); to < 0) {
        ++delivered_[static_cast<std::size_t>(n_.row(t))];  // the host takes all that the outlet has
      } else {
        std::uint32_t& into = queues_[queue(to, out ^ 2, color)];
        if (into >= depth_) continue;
        ++into;
        list_queue(to, out ^ 2, color);
      }
      pending &= static_cast<std::uint8_t>(~(1u << out));
      did(agents_.branch(t, port, color, out), 1);
    }
    if (pending) break;
    --queues_[q];
    popped = true;
  }
  if (popped) list_upstream(t, port, color);
}

void Scheduler::run_tile(int t) {
  for (bool moved = true; moved;) {
    moved = run_main(t);
    moved |= run_psum(t);
    moved |= run_out(t);
  }
}

/// Up to `most` messages of W.
std::uint32_t Scheduler::take_w(int t, std::uint32_t most) {
  const std::uint32_t n = std::min(tile(t).w, most);
  if (n == 0) return 0;
  tile(t).w -= n;
  taken(t, 0);
  return n;
}

/// A PE's buffer has room.
void Scheduler::taken(int t, int color) {
  for (int p = 0; p < 5; ++p)
    if (queues_[queue(t, p, color)]) list_queue(t, p, color);
}

bool Scheduler::run_main(int t) {
  Tile& s = tile(t);
  std::uint32_t steps = 0;
  bool any = false;
  for (bool moved = true; moved && s.main < s.trace->main.size();) {
    const Event& e = s.trace->main[s.main];
    moved = false;
    switch (e.kind) {
      case Kind::Command:
        if (s.ended < s.forks) break;
        [[fallthrough]];
      case Kind::Axpy: {
        const std::uint32_t n = take_w(t, e.n - s.main_done);
        steps += n, s.main_done += n;
        moved = n > 0;
        if (s.main_done < e.n) break;
        if (e.kind == Kind::Command) s.mp = {}, s.pm = 0;  // by its CALL; nobody looks at them at rest
        ++s.main, s.main_done = 0;
        break;
      }
      case Kind::Copy:
        if (s.mp.size() == kHandoffs) break;
        s.mp.push({true, 0});
        ++steps, ++s.main, moved = true;
        break;
      case Kind::Dot:
        did(agents_.main(t), steps);
        steps = 0;
        moved = run_dot(t, e);
        break;
      case Kind::Fork:
        if (s.halted < s.forks) break;
        ++s.forks, ++steps, ++s.main, moved = true;
        break;
      default:  // Join
        if (s.ended < s.forks) break;
        ++steps, ++s.main, moved = true;
    }
    any |= moved;
  }
  did(agents_.main(t), steps);
  return any;
}

bool Scheduler::run_dot(int t, const Event& e) {
  Tile& s = tile(t);
  const std::uint32_t n = take_w(t, std::min(e.n - s.lists, kGathered - (s.lists - s.main_done)));
  s.lists += n;
  did(agents_.gather(t), n);
  const std::uint32_t left = e.n - 1 - s.main_done, count = std::min(left, 16u);
  const bool last = left <= 16;
  const std::uint32_t needs = s.main_done + count + 1;  // what closes the group with it
  if (s.lists < needs || !s.pm || s.mp.size() == kHandoffs) return n > 0;
  s.mp.push({last, static_cast<std::uint8_t>(count)});
  s.main_done += count;
  did(agents_.main(t), 1);
  if (!last) return true;
  --s.pm;
  ++s.main, s.main_done = s.lists = 0;
  return true;
}

bool Scheduler::run_psum(int t) {
  Tile& s = tile(t);
  std::uint32_t steps = 0;
  bool any = false;
  for (bool moved = true; moved && s.ended < s.forks;) {
    const Event& e = s.trace->psum[s.psum];
    moved = false;
    if (e.kind == Kind::Halted || e.kind == Kind::End) {
      ++(e.kind == Kind::Halted ? s.halted : s.ended);
      ++steps, ++s.psum, moved = true;
    } else if (e.kind == Kind::Reduce) {
      did(agents_.psum(t), steps);
      steps = 0;
      moved = run_reduce(t, e);
    } else {
      const std::uint32_t times = n_.times(t, e), takes = n_.takes(t, e);
      if (times == 0) {
        ++s.psum, moved = true;
        any = true;
        continue;
      }
      while (s.held + 1 < takes && ramp(t, e.cin)) --ramp(t, e.cin), ++s.held, ++steps, moved = true;
      const bool ready = (takes == 0 || (s.held + 1 == takes && ramp(t, e.cin))) && (!e.q || !s.mp.empty()) &&
                         (!e.pm || s.pm < kHandoffs) && (!e.sends || s.out.size() < kOutSize);
      if (ready) {
        if (takes) --ramp(t, e.cin);
        s.held = 0;
        if (e.sends) s.out.push({e.cout, e.sends});
        ++steps, moved = true;
        if (++s.psum_done == times) {
          if (e.q) s.mp.pop();
          if (e.pm) ++s.pm;
          ++s.psum, s.psum_done = 0;
        }
      }
      if (moved && takes) taken(t, e.cin);
    }
    any |= moved;
  }
  did(agents_.psum(t), steps);
  return any;
}

bool Scheduler::run_reduce(int t, const Event& e) {
  Tile& s = tile(t);
  if (s.mp.empty()) return false;
  const Handoff entry = s.mp.front();
  const std::uint32_t takes = n_.takes(t, e);
  std::uint32_t steps = 0;
  while (s.psum_done < entry.count && s.out.size() < kOutSize && (!takes || ramp(t, e.cin))) {
    if (takes) --ramp(t, e.cin);
    s.out.push({e.cout, 1});
    ++s.psum_done, ++steps;
  }
  if (steps && takes) taken(t, e.cin);
  const bool through = s.psum_done == entry.count;
  if (through) {
    if (entry.count == 0) ++steps;  // an entry of its own
    s.mp.pop();
    s.psum_done = 0;
    if (entry.last) ++s.psum;
  }
  did(agents_.psum(t), steps);
  return steps > 0;
}

bool Scheduler::run_out(int t) {
  Tile& s = tile(t);
  std::uint32_t steps = 0;
  while (!s.out.empty()) {
    Entry& entry = s.out.front();
    std::uint32_t& into = queues_[queue(t, kRamp, entry.color)];
    if (into >= depth_) break;
    ++into, ++steps;
    list_queue(t, kRamp, entry.color);
    if (--entry.words == 0) s.out.pop();
  }
  did(agents_.out(t), steps);
  return steps > 0;
}

Outcome Scheduler::run() {
  for (int t = 0; t < n_.tiles(); ++t) list_tile(t);
  for (int v = 0; v < n_.shape.valves; ++v) list_valve(v);
  while (!open_.empty()) {
    const int unit = open_.back();
    open_.pop_back();
    listed_[static_cast<std::size_t>(unit)] = false;
    if (unit >= queues_first_) {
      const int q = unit - queues_first_;
      run_queue(q / colors_ / 5, q / colors_ % 5, q % colors_);
    } else if (unit >= tiles_first_) {
      run_tile(unit - tiles_first_);
    } else if (unit >= cells_first_) {
      run_cell(unit - cells_first_);
    } else {
      run_valve(unit);
    }
  }
  return outcome();
}

Outcome Scheduler::outcome() {
  Outcome o;
  o.done = true;
  for (const Tile& s : tiles_) o.done &= s.main == s.trace->main.size() && s.psum == s.trace->psum.size();
  for (std::size_t v = 0; v < next_.size(); ++v) o.done &= next_[v] == n_.valves[v].size();
  if (!o.done) {
    o.standstill = standstill();
    return o;
  }
  const auto left = [&](int t, std::uint32_t n, const std::string& what) {
    if (n)
      o.left.push_back("tile (" + std::to_string(n_.row(t)) + "," + std::to_string(t % n_.shape.cols) +
                       "): " + std::to_string(n) + " " + what);
  };
  for (int t = 0; t < n_.tiles(); ++t) {
    for (int c = 1; c < colors_; ++c) {
      std::uint32_t words = ramp(t, c);
      for (int p = 0; p < 5; ++p) words += queues_[queue(t, p, c)];
      left(t, words,
           "words on " +
               (static_cast<std::size_t>(c) < std::size(isa::kColorNames)
                    ? std::string(isa::kColorNames[static_cast<std::size_t>(c)])
                    : "color " + std::to_string(c)) +
               " that nobody takes");
    }
    left(t, tile(t).out.size(), "entries of its out queue that nobody takes");
    left(t, tile(t).w, "messages of W that nobody takes");
  }
  return o;
}

void Scheduler::show_threads(int t, TileStandstill& s) {
  Tile& from = tile(t);
  for (unsigned i = 0; i < from.mp.size(); ++i)
    s.state.mp.entries.push_back(static_cast<std::uint8_t>(from.mp[i].last << 5 | from.mp[i].count));
  s.state.pm.entries.assign(from.pm, 0);
  if (from.main < from.trace->main.size()) {
    const Event& e = from.trace->main[from.main];
    if (e.kind == Kind::Fork || e.kind == Kind::Join) {
      s.state.main.runs = true, s.state.main.pc = e.pc;
    } else if (e.kind != Kind::Command) {
      s.state.main.runs = s.main.busy = true;
      s.state.main.pc = s.main.pc = e.pc;
      const std::uint32_t left = e.n - 1 - from.main_done;
      s.main.lacks_w =
          e.kind == Kind::Axpy || (e.kind == Kind::Dot && from.lists < from.main_done + std::min(left, 16u) + 1);
    }
  }
  if (from.ended >= from.forks || from.psum >= from.trace->psum.size()) return;
  const Event& e = from.trace->psum[from.psum];
  s.state.psum.runs = true;
  s.state.psum.pc = e.pc;
  if (e.kind == Kind::Take) return;
  s.psum.busy = true;
  s.psum.pc = e.pc;
  const bool entry = e.kind != Kind::Reduce || !from.mp.empty();
  s.psum.lacks_words = n_.takes(t, e) > 0 && entry && ramp(t, e.cin) == 0;
  s.psum.lacks_room = e.sends && from.out.size() == kOutSize && !s.psum.lacks_words;
}

Standstill Scheduler::standstill() {
  Standstill s;
  s.shape = n_.shape;
  s.machine = "check";
  s.why = "no order ends";
  s.depth = n_.depth;
  const auto free = [&](std::uint32_t used) { return static_cast<std::uint8_t>(depth_ - std::min(depth_, used)); };
  for (int t = 0; t < n_.tiles(); ++t) {
    TileStandstill x;
    x.state.instructions = *n_.programs[static_cast<std::size_t>(t)];
    for (std::size_t p = 0; p < 5; ++p)
      for (int c = 0; c < colors_; ++c)
        x.state.routes[p].push_back(static_cast<std::uint8_t>(n_.outputs(t, static_cast<int>(p), c)));
    show_threads(t, x);
    for (int c = 0; c < colors_; ++c) {
      x.ramp.push_back(c == 0 ? tile(t).w : ramp(t, c));
      for (std::size_t p = 0; p < 5; ++p) x.buffers[p].push_back(queues_[queue(t, static_cast<int>(p), c)]);
      x.out_credits.push_back(free(x.buffers[4].back()));
      for (int out = 0; out < 4; ++out) {
        const int to = n_.neighbour(t, out);
        x.credits[static_cast<std::size_t>(out)].push_back(free(to < 0 ? 0 : queues_[queue(to, out ^ 2, c)]));
      }
      x.credits[4].push_back(free(x.ramp.back()));
    }
    for (unsigned i = 0; i < tile(t).out.size(); ++i) x.out.push_back(tile(t).out[i].color);
    s.tiles.push_back(std::move(x));
  }
  for (int r = 0; r < n_.shape.rows; ++r) {
    RowStandstill x;
    const auto row = static_cast<std::size_t>(r);
    x.delivered = delivered_[row];
    x.outlet.assign(static_cast<std::size_t>(colors_), 0);
    x.cell = static_cast<std::uint32_t>(cells_[row].size());
    x.served = served_[row];
    const bool last = r + 1 == n_.first_row(n_.valve_of(r) + 1);
    x.cell_credits = {free(queues_[queue(r * n_.shape.cols, kWestPort, 0)]),
                      free(last ? 0 : static_cast<std::uint32_t>(cells_[row + 1].size()))};
    s.rows.push_back(std::move(x));
  }
  for (int v = 0; v < n_.shape.valves; ++v) {
    const auto at = static_cast<std::size_t>(v);
    s.valves.push_back({next_[at],
                        n_.valves[at].size() - next_[at],
                        {},
                        {free(static_cast<std::uint32_t>(cells_[static_cast<std::size_t>(n_.first_row(v))].size()))}});
  }
  return s;
}

}  // namespace

Outcome schedule(const Network& network, Order& order) { return Scheduler(network, order).run(); }

}  // namespace weft::check
