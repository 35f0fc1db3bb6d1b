#include "host/swarmx/tree/node_assignment.hpp"

#include <gtest/gtest.h>

namespace weft {
namespace {

using namespace std::chrono_literals;

const Places::Time kStart{};

/// Two nodes, the root's children 3 and 5.
Places two_nodes() {
  Places places(2, kStart + 10s);
  places.come(3, {"node 1", "10.0.0.4", 400});
  places.come(5, {"node 0", "10.0.0.3", 300});
  return places;
}
std::string place(Places& places, const std::string& wafer, std::uint32_t seat) {
  const auto node = places.place({wafer, "10.0.0.9"}, seat);
  return node ? node->name : "root";
}

TEST(Places, WafersGoToTheNodeThatHasTheFewest) {
  Places places = two_nodes();
  EXPECT_EQ(place(places, "wafer 0", 0), "node 1");
  EXPECT_EQ(place(places, "wafer 1", 1), "node 0");
  EXPECT_EQ(place(places, "wafer 2", 2), "node 1");
  EXPECT_TRUE(places.came(0) && places.came(2));
  EXPECT_EQ(place(places, "wafer 3", 3), "node 0");
  EXPECT_EQ(places.leave(0), "node 1");
  EXPECT_EQ(place(places, "wafer 4", 4), "node 1");
}

TEST(Places, WithoutANodeTheyAreTheRoots) {
  Places places(1, kStart);
  EXPECT_EQ(place(places, "wafer 0", 0), "root");
  places.come(1, {"node 0", "10.0.0.3", 300});
  EXPECT_EQ(place(places, "wafer 1", 1), "node 0");
  places.lose(1);
  EXPECT_FALSE(places.there("node 0"));
  EXPECT_EQ(place(places, "wafer 2", 2), "root");
}

TEST(Places, WhoCouldNotGetToItsNodeIsTheRoots) {
  Places places = two_nodes();
  EXPECT_EQ(place(places, "wafer 0", 0), "node 1");
  EXPECT_EQ(place(places, "wafer 0", 1), "root");
  EXPECT_EQ(place(places, "wafer 1", 2), "node 1") << "who has given up does not count";
  ASSERT_TRUE(places.came(0)) << "it was another one of this name, or late";
  EXPECT_EQ(place(places, "wafer 0", 3), "node 0") << "once it has been there it may be sent again";
}

TEST(Places, ASeatComesOnceAndOnlyIfItWasGiven) {
  Places places = two_nodes();
  EXPECT_FALSE(places.came(0));
  place(places, "wafer 0", 0);
  const auto there = places.came(0);
  ASSERT_TRUE(there);
  EXPECT_EQ(there->wafer.name, "wafer 0");
  EXPECT_EQ(there->wafer.host, "10.0.0.9");
  EXPECT_EQ(there->node, "node 1");
  EXPECT_FALSE(places.came(0));
  place(places, "wafer 1", 1);
  places.lose(5);
  EXPECT_FALSE(places.came(1)) << "its node is gone";
  places.lose(3);
  EXPECT_EQ(places.leave(0), "node 1") << "who was there leaves by itself";
  EXPECT_FALSE(places.leave(0));
}

TEST(Places, WafersWaitUntilAllNodesHaveComeOnceOrForSoLong) {
  Places places(2, kStart + 10s);
  EXPECT_TRUE(places.wait(kStart));
  places.come(1, {"node 0", "", 1});
  places.lose(1);
  places.come(2, {"node 0", "", 1});
  EXPECT_TRUE(places.wait(kStart + 9s)) << "the same one twice";
  EXPECT_FALSE(places.wait(kStart + 10s));
  places.come(3, {"node 1", "", 1});
  EXPECT_FALSE(places.wait(kStart));
  places.lose(3);
  EXPECT_FALSE(places.wait(kStart)) << "later nobody waits";
  EXPECT_FALSE(Places(0, kStart + 10s).wait(kStart));
}

}  // namespace
}  // namespace weft
