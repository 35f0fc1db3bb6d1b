/// A leaf on the network: the calling thread becomes the wafer's worker.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "host/swarmx/leaf.hpp"

namespace weft {

/// Makes wafer `id`; called in the worker's thread, where the wafer is also used and destroyed.
using MakeWafer = std::function<std::unique_ptr<Wafer>(int id)>;

struct LeafOptions {
  int id = 0;
  std::string address = "127.0.0.1";  ///< of the parent
  std::uint16_t port = 0;
  std::string parent = "MemoryX";  ///< its name, for errors
  MakeWafer make_wafer;
  GetBatch get;
};

/// Returns after Stop, or when the parent is gone. The wafer's failures go up as Error frames.
void run_leaf(const Plan& plan, const LeafOptions& options);

}  // namespace weft
