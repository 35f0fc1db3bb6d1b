/// Dismissal of a run's members by a root that has nothing to do, so that they need not wait for it.
#pragma once

#include <chrono>
#include <cstddef>

#include "host/swarmx/auth/credentials.hpp"
#include "host/swarmx/auth/hello.hpp"
#include "host/swarmx/auth/listener.hpp"

namespace weft::swarmx {

/// Sends Stop to the first `count` processes that join; returns when all have left again, or after `time`. `here` is
/// what their hellos must match. Throws Refusal if it cannot listen there.
void reject_members(std::shared_ptr<const Credentials> credentials, Hello here, const ListenerOptions& options,
                    std::size_t count, std::chrono::milliseconds time);

}  // namespace weft::swarmx
