/// The events of one tile of the RTL, each with the instruction that caused it: writes to SRAM and accumulators,
/// messages taken and sent.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "sw/asm/program.hpp"
#include "verif/sim/tile_view.hpp"

namespace weft::inspect::bisect {

/// A vector instruction of a thread, and the number of vector instructions that the thread has executed with it.
struct Cause {
  int thread = 0;  ///< 0 main, 1 psum
  unsigned pc = 0;
  std::uint64_t execution = 0;
  friend bool operator==(const Cause&, const Cause&) = default;
};

struct TileEvent {
  enum class Kind : std::uint8_t { Takes, Sends, Accumulator, Memory };
  Kind kind = Kind::Memory;
  unsigned index = 0;       ///< a color, an entry of R, or an element of SRAM
  unsigned lane = 0;        ///< Accumulator
  std::uint32_t value = 0;  ///< a message's data, fp32 or bf16
  bool ctrl = false;        ///< Takes, Sends: a control message
  std::uint64_t cycle = 0;
  std::optional<Cause> cause;  ///< none: a command has written; or unknown
};

class EventSource : public sim::TileWatch {
 public:
  /// `program`: of the tile; must outlive this object.
  explicit EventSource(const assembler::Program& program);
  void observe(std::uint64_t cycle, std::size_t n, const sim::TileView& view) final;

 protected:
  virtual void event(const TileEvent& event) = 0;

 private:
  struct Thread {
    unsigned state = 0, pc = 0;
    Cause sequenced;  // the instruction last issued to the sequencer
  };
  /// A beat in flight in the vector unit.
  struct Beat {
    std::uint64_t cycle;
    Cause cause;
  };
  static void follow(Thread& thread, const sim::ThreadView& view);
  /// The latest issued instruction that sends on the color.
  std::optional<Cause> sender(unsigned color) const;
  std::optional<Cause> writer(std::uint64_t cycle) const;
  void ramp(std::uint64_t cycle, const sim::PortView& port);

  const assembler::Program& program_;
  Thread threads_[2];
  std::vector<unsigned> sends_;  // [pc]: bit mask of the colors on which a vector instruction of the program sends
  std::map<unsigned, Cause> senders_;  // by color
  std::deque<Beat> beats_;
};

}  // namespace weft::inspect::bisect
