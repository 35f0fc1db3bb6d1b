/// Root cause of a hang: the chain or the cycle of the wait-for graph, and the fault at its end.
#pragma once

#include <string>
#include <vector>

#include "sw/deadlock/paths.hpp"

namespace weft::deadlock {

/// Faults that no waiting thread can resolve, the most specific first.
enum class Fault : std::uint8_t {
  LostCredit,     ///< a link's credits do not add up
  NoRoute,        ///< messages arrive at a router that has no route for them
  Endless,        ///< a thread runs forever
  Ended,          ///< the thread that should send or take has halted, and nothing will start it
  Cycle,          ///< deadlock: threads wait for each other in a cycle
  NoSender,       ///< no route leads here
  StreamEnded,    ///< the host has sent all its messages
  HostTakesNone,  ///< the host does not take an outlet's words
  None,           ///< no thread waits
};

/// An edge of the wait-for graph: `who` lacks `wait` and waits for `whom`.
struct Link {
  ThreadRef who;
  Wait wait;
  ThreadRef whom;              ///< awaited thread if `fault` is Cycle; else the thread at fault, if any
  Fault fault = Fault::Cycle;  ///< Cycle: no fault here, `whom` may wait, too
  std::string text;            ///< `waits for RING from tile (1,1)'s psum`; for a fault its description
};

struct Diagnosis {
  Fault fault = Fault::None;
  /// Each thread waits for the next; the last has the fault, or waits for the one at `turn`.
  std::vector<Link> chain;
  std::size_t turn = 0;
  std::vector<Link> all;  ///< every wait of every thread
  std::vector<LostCredit> lost;
};

Diagnosis diagnose(const machine::HangSnapshot& s);

}  // namespace weft::deadlock
