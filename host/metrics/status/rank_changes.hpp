/// Log lines about changes of a run's ranks.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "host/metrics/status/run_status.hpp"

namespace weft::metrics {

/// A line for each rank whose state in `now` differs from `before`, or has been entered again: the rank was lost and
/// has rejoined.
///   rank 4, wafer 2 on 10.0.0.3: slow, at micro-batch 5 of step 3 for 4.2 s; 17 micro-batches, 12.3 MB to the rank,
///   4.5 MB from the rank: its link keeps it waiting 97 % of the time; a micro-batch takes 4.2 s, others take 0.11 s
std::vector<std::string> rank_changes(std::span<const RankLine> before, std::span<const RankLine> now);

}  // namespace weft::metrics
