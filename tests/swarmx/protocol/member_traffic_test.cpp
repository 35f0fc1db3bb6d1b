#include "host/swarmx/protocol/member_traffic.hpp"

#include <gtest/gtest.h>

#include "host/swarmx/base/error.hpp"
#include "host/swarmx/tree/members.hpp"
#include "host/swarmx/tree/reducer.hpp"
#include "tests/swarmx/fake.hpp"

namespace weft::swarmx {
namespace {

using Traffics = std::vector<MemberTraffic>;
const Traffics kTwo = {{3, 1, 2, 100, 200}, {7, 4, 5, 600, 700}};

TEST(MemberTraffic, SurvivesARoundTrip) {
  EXPECT_EQ(decode_traffic(traffic_frame(kTwo).bytes()), kTwo);
  EXPECT_EQ(decode_traffic(traffic_frame({}).bytes()), Traffics{});
}

TEST(MemberTraffic, BadFrameIsRejected) {
  const auto refused = [](Bytes bytes) { EXPECT_THROW(decode_traffic(bytes), CorruptFrame); };
  const auto bytes_of = [](const Traffics& member_ids) {
    const Frame frame = traffic_frame(member_ids);
    return Bytes(frame.bytes().begin(), frame.bytes().end());
  };
  Bytes cut = bytes_of(kTwo);
  cut.pop_back();
  refused(cut);
  refused(bytes_of({kTwo[1], kTwo[0]}));
  refused(bytes_of({kTwo[0], kTwo[0]}));
  refused(bytes_of({{std::uint64_t{1} << 32}}));
}

TEST(MemberTraffic, ForeignMembersAreLeftOut) {
  const compiler::Plan plan = fake_plan();
  Reducer root(plan);
  const std::size_t node = root.join("node 0", {7}, false);
  const std::vector<Frame> up = root.add(node, traffic_frame(kTwo));
  ASSERT_EQ(up.size(), 1U);
  EXPECT_EQ(decode_traffic(up[0].bytes()), Traffics{kTwo[1]});
  const std::size_t wafer = root.join("wafer 0", {3}, true);
  EXPECT_THROW(root.add(wafer, traffic_frame(kTwo)), CorruptFrame) << "a wafer has no say in this";
}

TEST(MemberTraffic, IsKnownOfThoseBelowANodeAlone) {
  Members members({"wafer 0", "wafer 1"});
  const std::uint32_t below = members.reserve(), here = members.reserve();
  members.add(below, "wafer 0", "10.0.0.1", "node 0");
  members.add(here, "wafer 1", "10.0.0.2");
  for (const std::uint32_t member_id : {below, here, 9U}) members.set_traffic({member_id, 1, 2, 100, 200});
  EXPECT_EQ(members.all()[0].status.bytes_to, 100U);
  EXPECT_EQ(members.all()[0].status.frames_from, 2U);
  EXPECT_EQ(members.all()[1].status.bytes_to, 0U);
}

}  // namespace
}  // namespace weft::swarmx
