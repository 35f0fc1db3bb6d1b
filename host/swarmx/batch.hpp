/// A micro-batch's data, which comes to a wafer with its task.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "host/swarmx/payload.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

struct BatchRequest {
  bool train = true;
  std::uint64_t step = 0;
  std::uint32_t micro_batch = 0;  ///< of the step's
  std::uint64_t position = 0;     ///< of the step's first sample; set only for a process that reads the data
};

/// The answer depends on the request only, never on when or how often it is asked. Called from the streaming thread.
using GetBatch = std::function<MicroBatch(const BatchRequest&)>;

/// The Batch frames of it: `op` and the number of each part.
std::vector<Frame> batch_parts(const MicroBatch& batch, std::uint32_t op);

/// The Batch frames of what `get` answers, for `seat`, without step and round. What `get` throws is thrown with the
/// step and micro-batch before its text.
std::vector<Frame> batch_frames(const Plan& plan, const GetBatch& get, const BatchRequest& request, std::uint32_t seat);

}  // namespace weft
