/// The table of kinds of operations, which the build makes of their files.
#include "sw/network/operations.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace weft::network {
namespace {

TEST(Operations, AreInTheOrderInWhichMessagesListThem) {
  std::vector<std::string> names;
  for (const OperationRules* rules : all_operations()) names.emplace_back(rules->name);
  ASSERT_GE(names.size(), 7u);
  names.resize(7);  // later kinds follow
  EXPECT_EQ(names, (std::vector<std::string>{"embed", "norm", "linear", "elementwise", "rotary", "attention", "loss"}));
}

TEST(Operations, AreFoundByTheirKinds) {
  for (const OperationRules* rules : all_operations()) EXPECT_EQ(&rules_of(rules->kind), rules) << rules->name;
  EXPECT_EQ(rules_of(OperationKind::Elementwise).name, "elementwise");
}

}  // namespace
}  // namespace weft::network
