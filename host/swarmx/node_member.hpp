/// A node of the tree in a process of its own: joins the root, lets in the wafers that the root sends to it, comes back
/// when it was lost. docs/swarm.md, Nodes in processes of their own.
#pragma once

#include <string>

#include "host/swarmx/join.hpp"

namespace weft {

struct NodeMemberOptions {
  int id = 0;  ///< its name is "node ID"
  JoinOptions join = {};
};

std::string node_name(int id);  ///< "node 3"

/// Returns after the root's Stop, when its wafers have heard it as well, or when it is to leave. Throws Refused if the
/// root does not let it in, PeerLost if the root is not there for `timeout`, Refusal if it cannot listen, and what goes
/// wrong in the process, after it has told the root.
void run_node_member(const NodeMemberOptions& options);

}  // namespace weft
