#include "host/swarmx/tree/members.hpp"

#include <gtest/gtest.h>

namespace weft::swarmx {
namespace {

using State = RankStatus::State;

TEST(Members, SayWhoIsHereWhoIsNotAndWhoWasLostAndWhy) {
  Members members({"wafer 0", "wafer 1", "wafer 2"});
  members.add("wafer 2", "10.0.0.3");
  members.mark_lost(members.add("wafer 0"), "its cable is cut");
  const auto all = members.all();
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].status.state, State::Lost);
  EXPECT_EQ(all[0].status.why, "its cable is cut");
  EXPECT_EQ(all[1].status.state, State::NotYet);
  EXPECT_EQ(all[1].status.name, "wafer 1");
  EXPECT_EQ(all[2].status.state, State::Here);
  EXPECT_EQ(all[2].status.host, "10.0.0.3");
}

TEST(Members, OneThatIsBackBeforeItsLossIsKnownIsHere) {
  Members members({"wafer 0"});
  const std::uint32_t before = members.add("wafer 0"), now = members.add("wafer 0");
  members.mark_lost(before, "it was silent");
  const auto all = members.all();
  EXPECT_EQ(all[0].member_id, now);
  EXPECT_EQ(all[0].status.state, State::Here);
  EXPECT_EQ(all[0].status.losses, 1U);
  EXPECT_EQ(members.last_loss(), "it was silent");
}

TEST(Members, UnexpectedMemberIsListed) {
  Members members({"wafer 0", "wafer 1"});
  for (const char* name : {"wafer 10", "wafer 1", "wafer 9"}) members.add(name, "10.0.0.9");
  members.mark_lost(members.add("wafer 9"), "it was killed");
  const auto all = members.all();
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[2].status.name, "wafer 9");
  EXPECT_EQ(all[2].status.state, State::Lost);
  EXPECT_EQ(all[3].status.name, "wafer 10");
  EXPECT_EQ(all[3].status.state, State::Here);
  EXPECT_EQ(members.never_joined(), "wafer 0");
}

TEST(Members, HaveANameUntilAllIdsOfItAreLost) {
  Members members({"wafer 0"});
  EXPECT_FALSE(members.has("wafer 0"));
  const std::uint32_t first = members.add("wafer 0"), second = members.add("wafer 0");
  members.mark_lost(second, "it was killed");
  EXPECT_TRUE(members.has("wafer 0"));
  members.mark_lost(first, "it was killed");
  EXPECT_FALSE(members.has("wafer 0"));
}

TEST(Members, TrafficIsThatOfTheLastConnection) {
  Members members({"wafer 0"});
  const auto old = std::make_shared<Traffic>(), traffic = std::make_shared<Traffic>();
  old->bytes_to = 7, traffic->bytes_to = 100, traffic->frames_from = 3;
  members.connect(members.add("wafer 0"), old);
  members.connect(members.add("wafer 0"), traffic);
  EXPECT_EQ(members.all()[0].status.bytes_to, 100U);
  EXPECT_EQ(members.all()[0].status.frames_from, 3U);
}

}  // namespace
}  // namespace weft::swarmx
