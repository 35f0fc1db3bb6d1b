/// What one tile does in a phase, event by event, with the instruction that did it.
#pragma once

#include <deque>
#include <map>
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
  /// It is the latest instruction issued that sends on the color.
  std::string sender(unsigned color) const;
  void ramp(const PortView& port);
  std::string writer(std::uint64_t cycle) const;
  std::string instruction(const Beat& beat) const;

  InstructionNames names_;
  MessageNames words_;
  Thread threads_[2];
  std::vector<unsigned> sends_;       // [pc]: bits of the colors that a vector instruction of the program sends on
  std::map<unsigned, Beat> senders_;  // by color
  std::deque<Beat> beats_;
  std::vector<Event> events_;
};

}  // namespace weft::bisect
