#include "host/swarmx/tree/node_assignment.hpp"

#include <gtest/gtest.h>

namespace weft::swarmx {
namespace {

using namespace std::chrono_literals;

const NodeAssignment::Time kStart{};

/// Two nodes, the root's children 3 and 5.
NodeAssignment two_nodes() {
  NodeAssignment assignment(2, kStart + 10s);
  assignment.add_node(3, {"node 1", "10.0.0.4", 400});
  assignment.add_node(5, {"node 0", "10.0.0.3", 300});
  return assignment;
}
std::string place(NodeAssignment& assignment, const std::string& wafer, std::uint32_t member_id) {
  const auto node = assignment.assign({wafer, "10.0.0.9"}, member_id);
  return node ? node->name : "root";
}

TEST(NodeAssignment, WafersGoToTheNodeThatHasTheFewest) {
  NodeAssignment assignment = two_nodes();
  EXPECT_EQ(place(assignment, "wafer 0", 0), "node 1");
  EXPECT_EQ(place(assignment, "wafer 1", 1), "node 0");
  EXPECT_EQ(place(assignment, "wafer 2", 2), "node 1");
  EXPECT_TRUE(assignment.arrived(0) && assignment.arrived(2));
  EXPECT_EQ(place(assignment, "wafer 3", 3), "node 0");
  EXPECT_EQ(assignment.remove_wafer(0), "node 1");
  EXPECT_EQ(place(assignment, "wafer 4", 4), "node 1");
}

TEST(NodeAssignment, WithoutANodeTheyAreTheRoots) {
  NodeAssignment assignment(1, kStart);
  EXPECT_EQ(place(assignment, "wafer 0", 0), "root");
  assignment.add_node(1, {"node 0", "10.0.0.3", 300});
  EXPECT_EQ(place(assignment, "wafer 1", 1), "node 0");
  assignment.remove_node(1);
  EXPECT_FALSE(assignment.is_connected("node 0"));
  EXPECT_EQ(place(assignment, "wafer 2", 2), "root");
}

TEST(NodeAssignment, WaferOfUnreachableNodeJoinsTheRoot) {
  NodeAssignment assignment = two_nodes();
  EXPECT_EQ(place(assignment, "wafer 0", 0), "node 1");
  EXPECT_EQ(place(assignment, "wafer 0", 1), "root");
  EXPECT_EQ(place(assignment, "wafer 1", 2), "node 1") << "who has given up does not count";
  ASSERT_TRUE(assignment.arrived(0)) << "it was another one of this name, or late";
  EXPECT_EQ(place(assignment, "wafer 0", 3), "node 0") << "once it has been there it may be sent again";
}

TEST(NodeAssignment, AMemberJoinsOnceAndOnlyIfItWasAssigned) {
  NodeAssignment assignment = two_nodes();
  EXPECT_FALSE(assignment.arrived(0));
  place(assignment, "wafer 0", 0);
  const auto there = assignment.arrived(0);
  ASSERT_TRUE(there);
  EXPECT_EQ(there->wafer.name, "wafer 0");
  EXPECT_EQ(there->wafer.host, "10.0.0.9");
  EXPECT_EQ(there->node, "node 1");
  EXPECT_FALSE(assignment.arrived(0));
  place(assignment, "wafer 1", 1);
  assignment.remove_node(5);
  EXPECT_FALSE(assignment.arrived(1)) << "its node is gone";
  assignment.remove_node(3);
  EXPECT_EQ(assignment.remove_wafer(0), "node 1") << "who was there leaves by itself";
  EXPECT_FALSE(assignment.remove_wafer(0));
}

TEST(NodeAssignment, WafersWaitUntilAllNodesHaveComeOnceOrForSoLong) {
  NodeAssignment assignment(2, kStart + 10s);
  EXPECT_TRUE(assignment.must_wait(kStart));
  assignment.add_node(1, {"node 0", "", 1});
  assignment.remove_node(1);
  assignment.add_node(2, {"node 0", "", 1});
  EXPECT_TRUE(assignment.must_wait(kStart + 9s)) << "the same one twice";
  EXPECT_FALSE(assignment.must_wait(kStart + 10s));
  assignment.add_node(3, {"node 1", "", 1});
  EXPECT_FALSE(assignment.must_wait(kStart));
  assignment.remove_node(3);
  EXPECT_FALSE(assignment.must_wait(kStart)) << "later nobody waits";
  EXPECT_FALSE(NodeAssignment(0, kStart + 10s).must_wait(kStart));
}

}  // namespace
}  // namespace weft::swarmx
