#include "host/swarmx/tree/tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

namespace weft::swarmx {
namespace {

int check(const TreeNode& node, int fanout, int first) {
  EXPECT_EQ(node.first, first);
  if (node.leaf()) {
    EXPECT_EQ(node.count, 1);
    return 1;
  }
  EXPECT_LE(static_cast<int>(node.children.size()), fanout);
  int leaves = 0;
  for (const TreeNode& child : node.children) leaves += check(child, fanout, first + leaves);
  EXPECT_EQ(leaves, node.count);
  return leaves;
}

TEST(Tree, HasEveryWaferOnceAndNoNodeTooWide) {
  for (int wafers = 1; wafers < 200; ++wafers) {
    for (int fanout = 2; fanout < 9; ++fanout) EXPECT_EQ(check(make_tree(wafers, fanout), fanout, 0), wafers);
  }
}

TEST(Tree, OneWaferHangsOnTheRoot) {
  const TreeNode root = make_tree(1, 4);
  ASSERT_EQ(root.children.size(), 1U);
  EXPECT_EQ(root.children[0].name(), "wafer 0");
}

TEST(Tree, RefusesWhatIsNoTree) {
  EXPECT_THROW(make_tree(0, 4), std::invalid_argument);
  EXPECT_THROW(make_tree(4, 1), std::invalid_argument);
}

}  // namespace
}  // namespace weft::swarmx
