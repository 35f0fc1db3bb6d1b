/// State machine of a rank's part of MemoryX: handles what the root sends, except requests for ops and state, and
/// returns the answers.
///
/// No connection, and no threads except MemoryX's: part.cpp runs it in a process, tests run it in a simulated world.
#pragma once

#include <string>
#include <vector>

#include "host/memoryx/memoryx.hpp"
#include "host/swarmx/memory/shard_assignment.hpp"
#include "host/swarmx/protocol/frame.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::swarmx {

class PartState {
 public:
  /// Begins with the seed's state. `plan` must outlive this. `assignment`: the root's first frame after the plan;
  /// `threads`: of the optimizer. Throws CorruptFrame.
  PartState(const compiler::Plan& plan, const Frame& assignment, unsigned threads);

  /// Takes a chunk of the state, End, Step, a gradient, Norm or Apply; first waits for the previous update if the frame
  /// changes what that needs. Returns the immediate answers. Throws CorruptFrame, and what MemoryX throws.
  std::vector<Frame> handle(const Frame& frame);
  /// True if no thread may read weights while the frame is taken.
  static bool writes(const Frame& frame);
  /// True if the frame may cause a pass over memory that reports no progress.
  static bool passes(const Frame& frame) { return frame.type == FrameType::Step || frame.type == FrameType::End; }
  /// True if the root waits for a credit (Taken) for the frame.
  static bool counts(const Frame& frame);
  /// Returns the answer to Apply; waits for the update.
  std::vector<Frame> finish_update();

  memoryx::MemoryX& memoryx() { return memoryx_; }
  const memoryx::ShardRange& own() const { return part_.shards; }

 private:
  void replace_chunk(const Frame& frame);
  std::vector<Frame> loaded();
  void add(const Frame& frame);
  void apply(const Frame& frame);

  const compiler::Plan& plan_;
  const PartOptions part_;
  memoryx::MemoryX memoryx_;
};

}  // namespace weft::swarmx
