/// The shape of the tree: MemoryX at the root, wafers at the leaves, nodes of at most `fanout` children between.
#pragma once

#include <string>
#include <vector>

namespace weft::swarmx {

/// A subtree with wafers first .. first + count - 1. A leaf has no children.
struct TreeNode {
  int first = 0;
  int count = 1;
  std::vector<TreeNode> children;

  bool leaf() const { return children.empty(); }
  std::string name() const;  ///< "wafer 3" or "node 0..7"
};

inline std::string wafer_name(int id) { return "wafer " + std::to_string(id); }

/// The root; with one wafer it has one child. Wafers are spread as evenly as the fan-out (>= 2) allows.
TreeNode make_tree(int wafers, int fanout);

}  // namespace weft::swarmx
