/// A process that reads the data for a run: it answers the root, and comes back when it was lost.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "host/swarmx/auth/credentials.hpp"
#include "host/swarmx/batch.hpp"

namespace weft {

struct DataMemberOptions {
  std::string name = "data";  ///< says which data: the root's is the same
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;
  std::shared_ptr<const Credentials> credentials = {};
  std::string job = {};  ///< as a wafer's (member.hpp), as all below
  std::uint64_t digest = 0;
  GetBatch get = {};
  std::chrono::milliseconds silence{30000};
  std::chrono::milliseconds timeout{30000};
  std::function<void(const std::string& line)> say = {};
  std::function<bool()> leave = {};
};

/// Returns after the root's Stop, or when it is to leave. Throws as run_member, and what `get` throws.
void run_data_member(const DataMemberOptions& options);

}  // namespace weft
