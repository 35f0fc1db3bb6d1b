/// An inner node: passes what its parent sends on to its children, and their sums to its parent.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <memory>
#include <string>

#include "host/swarmx/hub.hpp"
#include "host/swarmx/link.hpp"
#include "sw/base/failure.hpp"

namespace weft {

/// Starts a node in this process, which ends after Stop. Returns its hub, for its children to be adopted. `run` and
/// `plan` must outlive the executor; whatever goes wrong goes to `run`.
std::shared_ptr<Hub> start_node(asio::any_io_executor executor, FirstFailure& run, const Plan& plan, std::string name,
                                Link parent);

}  // namespace weft
