#include "host/swarmx/tree/tree.hpp"

#include <algorithm>
#include <stdexcept>

namespace weft::swarmx {
namespace {

std::vector<TreeNode> split(int first, int count, int fanout) {
  const int groups = std::min(count, fanout);
  std::vector<TreeNode> children;
  for (int g = 0; g < groups; ++g) {
    const int begin = static_cast<int>(static_cast<long long>(count) * g / groups);
    const int end = static_cast<int>(static_cast<long long>(count) * (g + 1) / groups);
    TreeNode child{first + begin, end - begin, {}};
    if (child.count > 1) child.children = split(child.first, child.count, fanout);
    children.push_back(std::move(child));
  }
  return children;
}

}  // namespace

std::string TreeNode::name() const {
  if (leaf()) return "wafer " + std::to_string(first);
  return "node " + std::to_string(first) + ".." + std::to_string(first + count - 1);
}

TreeNode make_tree(int wafers, int fanout) {
  if (wafers < 1) throw std::invalid_argument("num_csx " + std::to_string(wafers) + ": HINT: at least 1.");
  if (fanout < 2) throw std::invalid_argument("swarmx.fanout " + std::to_string(fanout) + ": HINT: at least 2.");
  return {0, wafers, split(0, wafers, fanout)};
}

}  // namespace weft::swarmx
