/// A wafer as a leaf of the tree: how it handles each frame from above, without the network.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "host/swarmx/protocol/contribution.hpp"
#include "host/swarmx/protocol/frame.hpp"
#include "host/swarmx/protocol/op_messages.hpp"
#include "host/swarmx/protocol/payload.hpp"
#include "host/swarmx/tree/contribution_builder.hpp"
#include "host/swarmx/tree/group_sums.hpp"
#include "host/swarmx/tree/wafer_cache.hpp"
#include "sw/compiler/plan/plan.hpp"
#include "verif/wafer.hpp"

namespace weft::swarmx {

class Leaf {
 public:
  /// Loads the wafer. `plan` must outlive this.
  Leaf(const compiler::Plan& plan, std::unique_ptr<Wafer> wafer, int id);
  /// Takes a wafer that was loaded with plan.load before.
  Leaf(const compiler::Plan& plan, LoadedWafer wafer, int id);

  /// Handles a frame from above and appends what is sent up for it, or the first of that: while the result is true,
  /// append_more() must be called. Throws what Wafer and ContributionBuilder throw, and CorruptFrame for a frame out of
  /// order.
  bool handle(const Frame& frame, std::vector<Frame>& up);
  bool append_more(std::vector<Frame>& up);

  /// Returns the wafer if it is between two passes or has had none, else nothing. Afterwards only the destructor may be
  /// called.
  LoadedWafer release();

 private:
  void begin(const Frame& frame);
  void batch(const Frame& frame);
  void start();
  void op(const Frame& frame);
  bool feed();
  /// Takes contributions from all groups; returns true if there are more.
  bool take(std::vector<Frame>& up);
  bool complete() const;
  /// [row of all groups]: as ContributionBuilder::totals.
  std::vector<std::uint64_t> totals() const;
  void stats(std::vector<Frame>& up);
  void check_order(const Frame& frame) const;

  const compiler::Plan& plan_;
  std::unique_ptr<Wafer> wafer_;
  int id_;
  std::vector<ContributionBuilder> contributions_;  // [group]
  GroupSums sums_;
  bool begun_ = false;  // a pass has begun and not ended
  Frame at_;            // previous frame of the pass
  Task task_;
  bool train_ = true;    // the pass trains
  MicroBatch batch_;     // the part that has arrived
  std::size_t ops_ = 0;  // ops of the pass so far
  WaferCounters before_;
  machine::StreamPlace place_;  // as the wafer was notified
  OpMessages stream_;
};

}  // namespace weft::swarmx
