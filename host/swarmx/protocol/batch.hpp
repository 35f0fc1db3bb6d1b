/// The data of a micro-batch, which a wafer receives together with its task.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "host/swarmx/protocol/payload.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::swarmx {

struct BatchRequest {
  bool train = true;
  std::uint64_t step = 0;
  std::uint32_t micro_batch = 0;  ///< index within the step
  std::uint64_t position = 0;     ///< position of the step's first sample; set only in a data rank's process
};

/// The answer must depend on the request alone, not on when or how often it is made. Called from the streaming thread.
using GetBatch = std::function<MicroBatch(const BatchRequest&)>;

/// Returns the Batch frames of `batch`, with `op` and the part number set.
std::vector<Frame> batch_parts(const MicroBatch& batch, std::uint32_t op);

/// Returns the Batch frames of the answer of `get`, addressed to `member_id`, without step and pass. An exception of
/// `get` is rethrown with the step and micro-batch before its text.
std::vector<Frame> batch_frames(const compiler::Plan& plan, const GetBatch& get, const BatchRequest& request,
                                std::uint32_t member_id);

}  // namespace weft::swarmx
