/// A leaf at work: the calling thread becomes the wafer's.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <string>

#include "host/swarmx/leaf.hpp"
#include "host/swarmx/pulse.hpp"
#include "host/swarmx/wire.hpp"

namespace weft {

/// Makes wafer `id`; called in the worker's thread. It is used by one thread at a time, and destroyed by any.
using MakeWafer = std::function<std::unique_ptr<Wafer>(int id)>;

/// Does what comes over `parent` with wafer `id`; returns after Stop. Throws PeerLost if the parent is gone, and what
/// the wafer and `make_wafer` throw, with the wafer's name and the round. The wafer is `kept`'s, if that has one for
/// the plan, and is left to it if it is between two rounds at the end; null: it is made, and goes. `pulse`: of the
/// calling thread, which must outlive the wafer, also a kept one; at rest for good if the wafer cannot say whether it
/// gets on; null: nobody looks.
void serve(const Plan& plan, int id, const MakeWafer& make_wafer, Wire& parent, KeptWafers* kept = nullptr,
           Pulse* pulse = nullptr);

/// The Error frame of what serve threw: what a wafer says last.
Frame last_words(int id, std::exception_ptr failure);

}  // namespace weft
