/// A wafer as a leaf of the tree: what it does with each frame that comes down, without the network.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "host/swarmx/frame.hpp"
#include "host/swarmx/outlets.hpp"
#include "host/swarmx/payload.hpp"
#include "host/swarmx/round_returns.hpp"
#include "sw/compiler/plan.hpp"
#include "verif/wafer.hpp"

namespace weft {

/// [sequences][seq] each, sequences <= plan.model.micro_batch.
struct MicroBatch {
  std::vector<std::uint16_t> inputs;
  std::vector<std::uint16_t> labels;
};

struct BatchRequest {
  bool train = true;
  std::uint64_t step = 0;
  std::uint32_t micro_batch = 0;  ///< of the step's
};

/// A wafer's own data shard. The answer depends on the request only, never on which wafer asks or when. Called from the
/// wafers' threads.
using GetBatch = std::function<MicroBatch(const BatchRequest&)>;

class Leaf {
 public:
  /// Loads the wafer. `plan` must outlive this.
  Leaf(const Plan& plan, std::unique_ptr<Wafer> wafer, int id, GetBatch get);

  /// Handles a frame from above and appends what goes up for it, or the first of that: while it returns true, there is
  /// more(). Throws what Wafer and Outlets throw, and CorruptFrame for a frame out of order.
  bool handle(const Frame& frame, std::vector<Frame>& up);
  bool more(std::vector<Frame>& up);

 private:
  void begin(const Frame& frame, std::vector<Frame>& up);
  void op(const Frame& frame);
  void stats(std::vector<Frame>& up);
  void address(std::span<Frame> up) const;
  void check_order(const Frame& frame) const;

  const Plan& plan_;
  std::unique_ptr<Wafer> wafer_;
  std::uint32_t id_;
  GetBatch get_;
  Outlets outlets_;
  RoundReturns training_, evaluation_;
  bool begun_ = false;   // a round, and not ended
  bool idle_ = true;     // no micro-batch in this round
  Frame at_;             // of the round: the frame before
  std::size_t ops_ = 0;  // of the round
  WaferCounters before_;
  StreamPlace place_;  // told to the wafer
  std::vector<Message> messages_;
};

}  // namespace weft
