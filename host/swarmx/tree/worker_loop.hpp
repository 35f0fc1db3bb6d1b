/// The worker loop of a leaf: the calling thread becomes the wafer's.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <string>

#include "host/swarmx/base/progress_watchdog.hpp"
#include "host/swarmx/link/wire.hpp"
#include "host/swarmx/tree/leaf.hpp"

namespace weft::swarmx {

/// Makes wafer `id`; called in the worker's thread. The wafer is used by one thread at a time, and destroyed by any.
using MakeWafer = std::function<std::unique_ptr<Wafer>(int id)>;

/// Handles what arrives from `parent` with wafer `id`; returns after Stop. Throws PeerLost if the parent is gone, and
/// what the wafer and `make_wafer` throw, with the wafer's name and the pass. The wafer is taken from `cache`, if that
/// has one for the plan, and returned to it if it is between two passes at the end; null: it is made and destroyed
/// here. `watchdog`: watchdog of the calling thread, which must outlive the wafer, also a cache one; idle for good if
/// the wafer cannot report progress; null: none.
void worker_loop(const compiler::Plan& plan, int id, const MakeWafer& make_wafer, Wire& parent,
                 WaferCache* cache = nullptr, ProgressWatchdog* watchdog = nullptr);

/// Returns the Error frame of an exception of worker_loop: the wafer's last words.
Frame last_words(int id, std::exception_ptr failure);

}  // namespace weft::swarmx
