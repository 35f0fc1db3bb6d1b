/// A rank's part of MemoryX: what it does with what the root sends, but for questions, and what it answers.
///
/// Without a connection, and without threads but MemoryX's: Part has it in a process, tests in a simulated world.
#pragma once

#include <string>
#include <vector>

#include "host/memoryx/memoryx.hpp"
#include "host/swarmx/frame.hpp"
#include "host/swarmx/memory/deal.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

class PartState {
 public:
  /// Has the seed's state. `deal`: the root's first frame behind the plan, which must outlive this; `threads`: of the
  /// optimizer. Throws CorruptFrame.
  PartState(const Plan& plan, const Frame& deal, unsigned threads);

  /// Takes a piece of the state, End, Step, a gradient, Norm or Apply; waits for the update before where that changes
  /// what it needs. Returns what it answers at once. Throws CorruptFrame, and what MemoryX throws.
  std::vector<Frame> take(const Frame& frame);
  /// Whether nobody may read weights while it takes that.
  static bool writes(const Frame& frame);
  /// Whether that may be a pass over memory that does not say how far it is.
  static bool passes(const Frame& frame) { return frame.type == FrameType::Step || frame.type == FrameType::End; }
  /// Whether the root waits to hear that it is taken.
  static bool counts(const Frame& frame);
  /// The answer to Apply; waits for the update.
  std::vector<Frame> settled();

  MemoryX& memoryx() { return memoryx_; }
  const ShardRange& own() const { return part_.shards; }

 private:
  void put(const Frame& frame);
  std::vector<Frame> loaded();
  void add(const Frame& frame);
  void apply(const Frame& frame);

  const Plan& plan_;
  const PartOptions part_;
  MemoryX memoryx_;
};

}  // namespace weft
