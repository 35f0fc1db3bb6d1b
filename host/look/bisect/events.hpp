/// What one tile does in a phase, event by event, with the instruction that did it.
#pragma once

#include <deque>
#include <vector>

#include "host/look/bisect/trail.hpp"
#include "verif/sim/tile_view.hpp"
#include "verif/trace/words.hpp"

namespace weft::bisect {

class Events : public TileWatch {
 public:
  Events(const Program& program, int rows);
  void look(std::uint64_t cycle, std::size_t n, const TileView& view) override;
  std::vector<Event> take() { return std::move(events_); }

 private:
  struct Thread {
    unsigned state = 0, pc = 0, sequenced = 0;
  };
  /// A beat that is on its way through the vector unit.
  struct Beat {
    std::uint64_t cycle;
    int thread;
    unsigned pc;
  };
  void follow(Thread& thread, const ThreadView& view);
  void ramp(const PortView& port);
  std::string writer(std::uint64_t cycle) const;

  InstructionNames names_;
  MessageNames words_;
  Thread threads_[2];
  std::deque<Beat> beats_;
  std::vector<Event> events_;
};

}  // namespace weft::bisect
