/// Data rank in a process of its own: reads the data, answers the root, and reconnects when the connection is lost.
#pragma once

#include <string>

#include "host/swarmx/auth/join.hpp"
#include "host/swarmx/protocol/batch.hpp"

namespace weft::swarmx {

struct DataMemberOptions {
  std::string name = "data";  ///< identifies the data; must equal the root's
  GetBatch get = {};
  JoinOptions join = {};
};

/// Returns after the root's Stop, or when `join.leave` returns true. Throws as run_member, and what `get` throws.
void run_data_member(const DataMemberOptions& options);

}  // namespace weft::swarmx
