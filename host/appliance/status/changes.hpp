/// What a run's log says of its ranks: a line for each change.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "host/appliance/status/run_status.hpp"

namespace weft {

/// A line for each rank that is in another state in `now` than in `before`, or in the same one anew: it was lost
/// and is back.
///   rank 4, wafer 2 on 10.0.0.3: late, at micro-batch 5 of step 3 for 4.2 s; 17 micro-batches, 12.3 MB to it, 4.5 MB
///   from it
std::vector<std::string> changes(std::span<const RankLine> before, std::span<const RankLine> now);

}  // namespace weft
