/// An inner node: forwards its parent's frames to its children, and their sums to its parent.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <memory>
#include <string>

#include "host/swarmx/link/link.hpp"
#include "host/swarmx/tree/node_io.hpp"
#include "sw/base/failure.hpp"

namespace weft::swarmx {

/// Starts a node in this process, which ends after Stop. Returns its NodeIo, which adopts the children. `run` and
/// `plan` must outlive the executor; any failure is reported to `run`.
std::shared_ptr<NodeIo> start_node(asio::any_io_executor executor, FirstFailure& run, const compiler::Plan& plan,
                                   std::string name, Link parent);

}  // namespace weft::swarmx
