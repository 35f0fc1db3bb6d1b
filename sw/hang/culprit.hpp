/// Why a wafer stands still: the chain or the cycle of waiters, and what is at its end.
#pragma once

#include <string>
#include <vector>

#include "sw/hang/paths.hpp"

namespace weft::hang {

/// What nobody who waits can mend, the most telling first.
enum class Fault : std::uint8_t {
  LostCredit,     ///< a link's credits do not add up
  NoRoute,        ///< messages come to a router that has no route for them
  Endless,        ///< a thread runs and comes to no end
  Ended,          ///< who should send or take has halted, and nothing will start it
  Cycle,          ///< all wait for each other
  NoSender,       ///< no route leads here
  StreamEnded,    ///< the host has sent all it has
  HostTakesNone,  ///< an outlet's words stay where they are
  None,           ///< nobody waits
};

/// `who` waits, lacking `wait`, for `whom`.
struct Link {
  ThreadRef who;
  Wait wait;
  ThreadRef whom;              ///< if `fault` is Cycle; else the one at fault, if it is a thread
  Fault fault = Fault::Cycle;  ///< Cycle: none yet, `whom` waits, too
  std::string text;            ///< `waits for RING from tile (1,1)'s psum`; of a fault what is wrong
};

struct Diagnosis {
  Fault fault = Fault::None;
  /// Each waits for the next; the last has the fault, or waits for the one at `turn`.
  std::vector<Link> chain;
  std::size_t turn = 0;
  std::vector<Link> all;  ///< every wait of every thread
  std::vector<LostCredit> lost;
};

Diagnosis diagnose(const Standstill& s);

}  // namespace weft::hang
