/// Certificate checker: replays an order on bounded channels, with the messages that each agent's next step takes and
/// puts. The checker reads the order once and makes no scheduling decisions. Only for
/// sw/deadlock/certificate_checker*.cpp.
#pragma once

#include <deque>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sw/deadlock/network.hpp"

namespace weft::deadlock {

struct Bad : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The number of messages in a bounded buffer.
struct Channel {
  std::uint32_t n = 0, bound = 0;
  void push(std::uint32_t more = 1) {
    n += more;
    if (n > bound) throw Bad("a buffer of " + std::to_string(bound) + " would hold " + std::to_string(n));
  }
  void pop(std::uint32_t less = 1) {
    if (n < less) throw Bad("there is nothing to take");
    n -= less;
  }
};

inline void require(bool good, const char* what) {
  if (!good) throw Bad(what);
}

/// A thread's position in its events.
struct Place {
  const std::vector<Event>* events = nullptr;
  std::size_t at = 0;
  std::uint32_t done = 0;
  const Event& event() const {
    require(at < events->size(), "the thread has ended");
    return (*events)[at];
  }
  void next() { ++at, done = 0; }
  bool ended() const { return at == events->size(); }
};

struct OutWords {
  Channel entries;
  std::deque<std::pair<int, std::uint32_t>> words = {};  // words of each entry: color, words
};

struct Pe {
  Place main, psum;
  Channel w, lists, mp, pm;
  std::vector<Channel> ramp;                           // [color]
  std::deque<std::pair<bool, std::uint32_t>> entries;  // entries of MP: last, count
  std::vector<OutWords> out;                           // one queue, of a general tile [color]
  std::uint32_t listed = 0, parts = 0, halted = 0, through = 0, held = 0;
};

struct Front {
  Channel channel;
  unsigned served = 0;
};

class CertificateChecker {
 public:
  explicit CertificateChecker(const Network& n) : n_(n), agents_(n), valves_(n.valves.size()) {
    const auto depth = static_cast<std::uint32_t>(n.depth);
    for (const Trace* trace : n.traces) {
      Pe pe;
      pe.main.events = &trace->main, pe.psum.events = &trace->psum;
      pe.w.bound = depth, pe.mp.bound = pe.pm.bound = 2;
      pe.out.assign(static_cast<std::size_t>(n.shape.general ? n.shape.colors : 1), {.entries = {0, 15}});
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
  /// `own`: the color of a general tile, else 0.
  void out(int tile, int own);
  OutWords& out_of(Pe& pe, int color) { return pe.out[n_.shape.general ? static_cast<std::size_t>(color) : 0]; }

  const Network& n_;
  const Agents agents_;
  std::vector<std::size_t> valves_;
  std::vector<Cell> cells_;
  std::vector<Pe> pes_;
  std::vector<Front> queues_;
};

}  // namespace weft::deadlock
