/// The judge of an order: channels with a number of messages and a bound, and for each agent what its next step takes
/// and puts. It goes through the order once and decides nothing by itself.
#include <array>
#include <deque>
#include <stdexcept>

#include "sw/check/network.hpp"

namespace weft::check {
namespace {

using Kind = Event::Kind;

struct Bad : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A bounded number of messages.
struct Channel {
  std::uint32_t n = 0, bound = 0;
  void put(std::uint32_t more = 1) {
    n += more;
    if (n > bound) throw Bad("a buffer of " + std::to_string(bound) + " would hold " + std::to_string(n));
  }
  void take(std::uint32_t less = 1) {
    if (n < less) throw Bad("there is nothing to take");
    n -= less;
  }
};

void require(bool good, const char* what) {
  if (!good) throw Bad(what);
}

/// A thread's place in its events.
struct Place {
  const std::vector<Event>* events = nullptr;
  std::size_t at = 0;
  std::uint32_t done = 0;
  const Event& event() const {
    require(at < events->size(), "it has ended");
    return (*events)[at];
  }
  void next() { ++at, done = 0; }
  bool ended() const { return at == events->size(); }
};

struct Pe {
  Place main, psum;
  Channel w, lists, mp, pm, out;
  std::vector<Channel> ramp;                           // [color]
  std::deque<std::pair<bool, std::uint32_t>> entries;  // of MP: last, count
  std::deque<std::pair<int, std::uint32_t>> words;     // of the out queue: color, words
  std::uint32_t listed = 0, parts = 0, halted = 0, through = 0, held = 0;
};

struct Front {
  Channel channel;
  unsigned served = 0;
};

class Judge {
 public:
  explicit Judge(const Network& n) : n_(n), agents_(n), valves_(n.valves.size()) {
    const auto depth = static_cast<std::uint32_t>(n.depth);
    for (const Trace* trace : n.traces) {
      Pe pe;
      pe.main.events = &trace->main, pe.psum.events = &trace->psum;
      pe.w.bound = depth, pe.lists.bound = 33, pe.mp.bound = pe.pm.bound = 2, pe.out.bound = 15;
      pe.ramp.assign(static_cast<std::size_t>(n.shape.colors), {0, depth});
      pes_.push_back(std::move(pe));
      for (int i = 0; i < 5 * n.shape.colors; ++i) queues_.push_back({{0, depth}, 0});
    }
    for (int r = 0; r < n.shape.rows; ++r) cells_.push_back({{}, {0, depth}, 0});
  }

  void step(std::uint32_t agent, std::uint32_t times);
  void end();

 private:
  struct Cell {
    std::deque<int> messages;
    Channel channel;
    unsigned served;
  };

  Front& queue(int tile, int port, int color) {
    return queues_[(static_cast<std::size_t>(tile) * 5 + static_cast<std::size_t>(port)) *
                       static_cast<std::size_t>(n_.shape.colors) +
                   static_cast<std::size_t>(color)];
  }
  void valve(int v);
  void cell(int row, bool south);
  void branch(int tile, int port, int color, int out);
  void main(int tile);
  void gather(int tile);
  void psum(int tile);
  void out(int tile);

  const Network& n_;
  const Agents agents_;
  std::vector<std::size_t> valves_;
  std::vector<Cell> cells_;
  std::vector<Pe> pes_;
  std::vector<Front> queues_;
};

void Judge::valve(int v) {
  const auto& messages = n_.valves.at(static_cast<std::size_t>(v));
  std::size_t& next = valves_[static_cast<std::size_t>(v)];
  require(next < messages.size(), "the host has no more");
  Cell& into = cells_[static_cast<std::size_t>(n_.first_row(v))];
  into.channel.put();
  into.messages.push_back(messages[next++]);
}

void Judge::cell(int row, bool south) {
  Cell& c = cells_[static_cast<std::size_t>(row)];
  require(!c.messages.empty(), "the intake's cell is empty");
  const int m = c.messages.front();
  const bool end = row + 1 == n_.shape.rows || n_.valve_of(row + 1) != n_.valve_of(row);
  const bool here = m == Network::kCommand || m == row, on = m != row && !end;
  if (south) {
    require(on && !(c.served & 2u), "it does not go there");
    cells_[static_cast<std::size_t>(row) + 1].channel.put();
    cells_[static_cast<std::size_t>(row) + 1].messages.push_back(m);
    c.served |= 2;
  } else if (here) {
    require(!(c.served & 1u), "it has gone there");
    queue(row * n_.shape.cols, 3, 0).channel.put();
    c.served |= 1;
  } else {
    require(!on, "it goes on");
  }
  if (here && !(c.served & 1u)) return;
  if (on && !(c.served & 2u)) return;
  c.messages.pop_front();
  c.channel.take();
  c.served = 0;
}

void Judge::branch(int tile, int port, int color, int out) {
  Front& q = queue(tile, port, color);
  require(q.channel.n > 0, "the queue is empty");
  const unsigned outputs = n_.outputs(tile, port, color);
  if (out == 5) {
    require(outputs == 0, "it has a route");
    return q.channel.take();
  }
  require((outputs & ~q.served) >> out & 1u, "its front does not go there");
  if (out == 4) {
    Pe& pe = pes_[static_cast<std::size_t>(tile)];
    (color == 0 ? pe.w : pe.ramp[static_cast<std::size_t>(color)]).put();
  } else if (const int to = n_.neighbour(tile, out); to >= 0) {
    queue(to, out ^ 2, color).channel.put();
  } else {
    require(out == 3, "off the wafer");
  }
  q.served |= 1u << out;
  if (q.served != outputs) return;
  q.served = 0;
  q.channel.take();
}

void Judge::main(int tile) {
  Pe& pe = pes_[static_cast<std::size_t>(tile)];
  const Event& e = pe.main.event();
  switch (e.kind) {
    case Kind::Command:
      require(pe.through == pe.parts, "a command at a tile that does not rest");
      pe.w.take();
      if (++pe.main.done < e.n) return;
      pe.mp.n = pe.pm.n = 0;
      pe.entries.clear();
      return pe.main.next();
    case Kind::Axpy:
      pe.w.take();
      if (++pe.main.done == e.n) pe.main.next();
      return;
    case Kind::Copy:
      pe.mp.put();
      pe.entries.emplace_back(true, 0);
      return pe.main.next();
    case Kind::Dot: {
      const std::uint32_t left = e.n - 1 - pe.main.done, count = left < 16 ? left : 16;
      const bool last = left <= 16;
      require(pe.lists.n > count, "the group is not closed");
      require(pe.pm.n > 0, "there is no dy");
      pe.mp.put();
      pe.entries.emplace_back(last, count);
      pe.lists.take(count + last);
      pe.main.done += count;
      if (!last) return;
      pe.pm.take();
      pe.listed = 0;
      return pe.main.next();
    }
    case Kind::Fork:
      require(pe.halted == pe.parts, "psum has not halted");
      ++pe.parts;
      return pe.main.next();
    default:
      require(pe.through == pe.parts, "psum is not idle");
      return pe.main.next();
  }
}

void Judge::gather(int tile) {
  Pe& pe = pes_[static_cast<std::size_t>(tile)];
  const Event& e = pe.main.event();
  require(e.kind == Kind::Dot && pe.listed < e.n, "no vdot gathers");
  pe.w.take();
  pe.lists.put();
  ++pe.listed;
}

void Judge::psum(int tile) {
  Pe& pe = pes_[static_cast<std::size_t>(tile)];
  require(pe.through < pe.parts, "psum is not started");
  while (pe.psum.event().kind == Kind::Words && n_.times(tile, pe.psum.event()) == 0) pe.psum.next();
  const Event& e = pe.psum.event();
  if (e.kind == Kind::Halted) return ++pe.halted, pe.psum.next();
  if (e.kind == Kind::End) return ++pe.through, pe.psum.next();
  const std::uint32_t takes = n_.takes(tile, e);
  const auto word = [&] {
    if (takes) pe.ramp.at(e.cin).take();
  };
  const auto send = [&] {
    if (!e.sends) return;
    pe.out.put();
    pe.words.emplace_back(e.cout, e.sends);
  };
  if (e.kind == Kind::Reduce) {
    require(!pe.entries.empty(), "MP is empty");
    const auto [last, count] = pe.entries.front();
    if (count) word(), send(), ++pe.psum.done;
    if (pe.psum.done < count) return;
    pe.psum.done = 0;
    pe.mp.take();
    pe.entries.pop_front();
    if (last) pe.psum.next();
    return;
  }
  word();
  if (takes && ++pe.held < takes) return;  // a word that the beat takes ahead
  pe.held = 0;
  if (e.q) require(pe.mp.n > 0, "MP is empty");
  if (e.pm) require(pe.pm.n < pe.pm.bound, "PM is full");
  send();
  if (++pe.psum.done < n_.times(tile, e)) return;
  if (e.q) pe.mp.take(), pe.entries.pop_front();
  if (e.pm) pe.pm.put();
  pe.psum.next();
}

void Judge::out(int tile) {
  Pe& pe = pes_[static_cast<std::size_t>(tile)];
  require(!pe.words.empty(), "the out queue is empty");
  queue(tile, 4, pe.words.front().first).channel.put();
  if (--pe.words.front().second) return;
  pe.words.pop_front();
  pe.out.take();
}

void Judge::step(std::uint32_t agent, std::uint32_t times) {
  const int a = static_cast<int>(agent), tiles = n_.tiles(), first_tile = static_cast<int>(agents_.main(0));
  for (; times; --times) {
    if (a < n_.shape.valves) {
      valve(a);
    } else if (a < first_tile) {
      cell((a - n_.shape.valves) / 2, (a - n_.shape.valves) % 2 != 0);
    } else if (const int b = a - first_tile; b < tiles) {
      main(b);
    } else if (b < 2 * tiles) {
      gather(b - tiles);
    } else if (b < 3 * tiles) {
      psum(b - 2 * tiles);
    } else if (b < 4 * tiles) {
      out(b - 3 * tiles);
    } else {
      const int q = b - 4 * tiles, colors = n_.shape.colors;
      require(q / 6 / colors / 5 < tiles, "no such agent");
      branch(q / 6 / colors / 5, q / 6 / colors % 5, q / 6 % colors, q % 6);
    }
  }
}

void Judge::end() {
  for (std::size_t v = 0; v < valves_.size(); ++v)
    require(valves_[v] == n_.valves[v].size(), "the host has messages left");
  for (const Cell& c : cells_) require(c.channel.n == 0, "an intake's cell is not empty");
  for (const Front& q : queues_) require(q.channel.n == 0, "a router's queue is not empty");
  for (std::size_t t = 0; t < pes_.size(); ++t) {
    Pe& pe = pes_[t];
    require(pe.main.ended() && pe.psum.ended() && pe.through == pe.parts, "a thread has not ended");
    require(pe.w.n == 0 && pe.lists.n == 0 && pe.out.n == 0, "a PE is not empty");
    for (const Channel& c : pe.ramp) require(c.n == 0, "a PE has words left");
  }
}

}  // namespace

std::string verify(const Network& network, const Order& order) {
  Judge judge(network);
  std::size_t at = 0;
  try {
    for (; at < order.size(); ++at) judge.step(order[at].agent, order[at].n);
    judge.end();
  } catch (const Bad& bad) {
    return "step " + std::to_string(at) + (at < order.size() ? ", " + Agents(network).name(order[at].agent) : "") +
           ": " + bad.what();
  }
  return "";
}

}  // namespace weft::check
