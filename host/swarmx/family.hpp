/// A node's children as a state machine: who gets what goes down, and what goes up for what they say (docs/swarm.md, A
/// node). Hub has it on a network, tests in a simulated one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "host/swarmx/frame.hpp"
#include "host/swarmx/reducer.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

class Family {
 public:
  explicit Family(const Plan& plan) : reducer_(plan) {}

  /// A child, and the seats below it. `leaf`: it is a wafer. Returns its number, which no other child will have.
  std::size_t join(std::string name, std::vector<std::uint32_t> seats, bool leaf);

  struct Moves {
    std::vector<std::pair<std::size_t, Frame>> down;  ///< child and what it gets
    std::vector<Frame> up;
  };
  /// A frame from above. Throws CorruptFrame.
  Moves down(const Frame& frame);
  /// What a child says; returns what goes up for it. Throws CorruptFrame naming the child.
  std::vector<Frame> up(std::size_t child, const Frame& frame) { return reducer_.add(child, frame); }
  /// The child is gone; returns what goes up for it.
  std::vector<Frame> lose(std::size_t child);

  /// The step and round that wait for the child, for an error message; empty if none does.
  std::string waiting_for(std::size_t child) const { return reducer_.waiting_for(child); }

 private:
  Moves set_apart(const Frame& frame);

  std::map<std::size_t, bool> leaf_;  // [child]
  std::vector<std::size_t> round_;    // children that have a task in the round that goes down
  Reducer reducer_;
};

}  // namespace weft
