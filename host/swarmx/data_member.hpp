/// A process that reads the data for a run: it answers the root, and comes back when it was lost.
#pragma once

#include <string>

#include "host/swarmx/batch.hpp"
#include "host/swarmx/join.hpp"

namespace weft {

struct DataMemberOptions {
  std::string name = "data";  ///< says which data: the root's is the same
  GetBatch get = {};
  JoinOptions join = {};
};

/// Returns after the root's Stop, or when it is to leave. Throws as run_member, and what `get` throws.
void run_data_member(const DataMemberOptions& options);

}  // namespace weft
