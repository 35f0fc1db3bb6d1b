/// An inner node: connects upwards, accepts its children, replicates down and reduces up.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <string>

#include "host/swarmx/link.hpp"
#include "host/swarmx/tree.hpp"

namespace weft {

std::vector<std::string> child_names(const TreeNode& node);

/// Ends after Stop, or when the parent is gone. Its own failures go to the parent as Error frames.
asio::awaitable<void> run_node(TreeNode node, tcp::acceptor acceptor, tcp::endpoint parent, std::string parent_name,
                               std::chrono::seconds timeout);

}  // namespace weft
