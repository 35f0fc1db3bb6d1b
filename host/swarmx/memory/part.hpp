/// Service of a rank of MemoryX: carries out what the root sends (docs/explanation/swarm.md).
#pragma once

#include <exception>
#include <string>

#include "host/swarmx/base/progress_watchdog.hpp"
#include "host/swarmx/link/wire.hpp"
#include "host/swarmx/protocol/frame.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::swarmx {

/// Holds this rank's part of the state from Deal until Stop. `threads`: of the optimizer. Throws PeerLost,
/// CorruptFrame, and what MemoryX throws; a failure of another thread is reported to the root, and thrown when the root
/// has closed the connection. `watchdog`: watchdog of `root` and of all threads; may be null.
void memory_worker_loop(const compiler::Plan& plan, const std::string& name, unsigned threads, Wire& root,
                        ProgressWatchdog* watchdog = nullptr);

/// Returns the Error frame of an exception of rank `name`.
Frame last_words(const std::string& name, std::exception_ptr failure);

}  // namespace weft::swarmx
