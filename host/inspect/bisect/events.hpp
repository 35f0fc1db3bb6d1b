/// Records the events of one tile during a phase, each with the instruction that caused it.
#pragma once

#include <deque>
#include <map>
#include <vector>

#include "host/inspect/bisect/fingerprint.hpp"
#include "verif/sim/tile_view.hpp"
#include "verif/trace/words.hpp"

namespace weft::inspect::bisect {

class Events : public sim::TileWatch {
 public:
  Events(const assembler::Program& program, int rows);
  void observe(std::uint64_t cycle, std::size_t n, const sim::TileView& view) override;
  std::vector<Event> take() { return std::move(events_); }

 private:
  struct Thread {
    unsigned state = 0, pc = 0, sequenced = 0;
  };
  /// A beat in flight in the vector unit.
  struct Beat {
    std::uint64_t cycle;
    int thread;
    unsigned pc;
  };
  void follow(Thread& thread, const sim::ThreadView& view);
  /// The sender is the latest issued instruction that sends on the color.
  std::string sender(unsigned color) const;
  void ramp(const sim::PortView& port);
  std::string writer(std::uint64_t cycle) const;
  std::string instruction(const Beat& beat) const;

  trace::InstructionNames names_;
  trace::MessageNames words_;
  Thread threads_[2];
  std::vector<unsigned> sends_;       // [pc]: bit mask of the colors on which a vector instruction of the program sends
  std::map<unsigned, Beat> senders_;  // by color
  std::deque<Beat> beats_;
  std::vector<Event> events_;
};

}  // namespace weft::inspect::bisect
