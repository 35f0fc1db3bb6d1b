/// A node of the tree in a process of its own: joins the root, lets in the wafers that the root redirects to it, and
/// reconnects when the connection is lost. docs/explanation/swarm.md, Nodes in processes of their own.
#pragma once

#include <string>

#include "host/swarmx/auth/join.hpp"

namespace weft::swarmx {

struct NodeMemberOptions {
  int id = 0;            ///< its name is "node ID"
  double straggler = 3;  ///< as in SwarmOptions: multiple of the usual time after which no sum waits for a wafer
  JoinOptions join = {};
};

std::string node_name(int id);  ///< "node 3"

/// Returns after the root's Stop, once its wafers have received it as well, or when `join.leave` returns true. Throws
/// AuthError if the root rejects it, PeerLost if the root is absent for `timeout`, Refusal if it cannot listen, and any
/// failure in the process, after reporting that to the root.
void run_node_member(const NodeMemberOptions& options);

}  // namespace weft::swarmx
