/// State machine of a node's children: which child receives a frame from above, and what is sent up for a child's frame
/// (docs/explanation/swarm.md, A node). NodeIo runs it on a network, tests run it on a simulated one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "host/swarmx/protocol/frame.hpp"
#include "host/swarmx/tree/reducer.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::swarmx {

class NodeState {
 public:
  explicit NodeState(const compiler::Plan& plan) : reducer_(plan) {}

  /// Adds a child and the members below it. `leaf`: the child is a wafer. Returns its number, which is never used
  /// again.
  std::size_t join(std::string name, std::vector<std::uint32_t> member_ids, bool leaf);

  struct Moves {
    std::vector<std::pair<std::size_t, Frame>> down;  ///< child, and the frame for it
    std::vector<Frame> up;
    bool waits = true;  ///< false: of a pass without a merged task, which no sum waits for
  };
  /// Takes a frame from above. Throws CorruptFrame.
  Moves down(const Frame& frame);
  /// Takes a child's frame; returns what is sent up for it. Throws CorruptFrame naming the child.
  std::vector<Frame> up(std::size_t child, const Frame& frame) { return reducer_.add(child, frame); }
  /// Stops waiting for these members' tasks; returns what is sent up for it.
  std::vector<Frame> release(const std::vector<std::uint32_t>& member_ids) { return reducer_.set_unmerged(member_ids); }
  /// Removes a lost child; returns what is sent up for it.
  std::vector<Frame> remove_child(std::size_t child);

  /// Returns the step and pass that wait for the child, for an error message; empty if none does.
  std::string waiting_for(std::size_t child) const { return reducer_.waiting_for(child); }

 private:
  Moves set_unmerged(const Frame& frame);

  std::map<std::size_t, bool> leaf_;        // [child]
  std::vector<std::size_t> pass_children_;  // children with a task in the pass that is sent down
  bool merged_ = true;                      // that pass has a merged task
  Reducer reducer_;
};

}  // namespace weft::swarmx
