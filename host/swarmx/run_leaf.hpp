/// A leaf at work: the calling thread becomes the wafer's.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "host/swarmx/leaf.hpp"
#include "host/swarmx/wire.hpp"

namespace weft {

/// Makes wafer `id`; called in the worker's thread, where the wafer is also used and destroyed.
using MakeWafer = std::function<std::unique_ptr<Wafer>(int id)>;

/// Does what comes over `parent` with wafer `id`; returns after Stop. Throws PeerLost if the parent is gone, and what
/// the wafer and `make_wafer` throw, with the wafer's name and the round.
void serve(const Plan& plan, int id, const MakeWafer& make_wafer, Wire& parent);

/// A leaf in a process of its own.
struct LeafOptions {
  int id = 0;
  std::string address = "127.0.0.1";  ///< of the parent
  std::uint16_t port = 0;
  std::string parent = "MemoryX";  ///< its name, for errors
  MakeWafer make_wafer;
  std::chrono::milliseconds silence{30000};  ///< a parent that says nothing for so long is lost; its own is the same
};

/// Connects and serves; says Alive all the while, whatever the wafer does. Throws as `serve`, after it has told the
/// parent.
void run_leaf(const Plan& plan, const LeafOptions& options);

}  // namespace weft
