/// Wafers that outlive a swarm: the next swarm reuses them if its plan loads them alike, with the same resulting bits.
#include "host/swarmx/tree/wafer_cache.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <optional>
#include <vector>

#include "host/swarmx/protocol/payload.hpp"
#include "host/swarmx/tree/leaf.hpp"
#include "tests/swarmx/fake.hpp"
#include "tests/swarmx/remote.hpp"

namespace weft::swarmx {
namespace {

using Losses = std::vector<std::uint64_t>;  // bits

class KeptTest : public testing::TestWithParam<int> {
 protected:
  SwarmOptions options(std::shared_ptr<WaferCache> kept, const FakeBehaviour& behaviour = {}) {
    SwarmOptions o = fake_swarm(plan_, GetParam(), 2, 7, 3);
    o.make_wafer = [this, behaviour](int) {
      ++made_;
      return make_fake_wafer(plan_, behaviour);
    };
    o.wafer_cache = std::move(kept);
    return o;
  }
  const compiler::Plan plan_ = fake_plan();
  memoryx::MemoryX memoryx_{plan_, {}};
  std::atomic<int> made_ = 0;
};

TEST_P(KeptTest, WafersOfOneSwarmAreTheNextOnes) {
  Losses expected;
  std::uint64_t expected_hash = 0;
  for (const bool keeps : {false, true}) {
    memoryx::MemoryX memoryx(plan_, {});
    const auto kept = keeps ? std::make_shared<WaferCache>() : nullptr;
    made_ = 0;
    Losses losses;
    for (std::uint64_t step = 0; step < 6; ++step) {
      Swarm swarm(plan_, options(kept));
      losses.push_back(std::bit_cast<std::uint64_t>(swarm.step(step, memoryx).loss));
      losses.push_back(std::bit_cast<std::uint64_t>(swarm.evaluate(step, 3, memoryx).loss));
    }
    EXPECT_EQ(made_, keeps ? GetParam() : 6 * GetParam());
    if (keeps) {
      EXPECT_EQ(losses, expected);
      EXPECT_EQ(memoryx.hash(), expected_hash);
    }
    expected = losses;
    expected_hash = memoryx.hash();
  }
}

TEST_P(KeptTest, WaferWithAnotherPlanIsEvicted) {
  const auto kept = std::make_shared<WaferCache>();
  { Swarm(plan_, options(kept)).step(0, memoryx_); }
  compiler::Plan other = plan_;
  other.load.push_back(machine::Message::select());
  memoryx::MemoryX memoryx(other, {});
  Swarm(other, options(kept)).step(0, memoryx);
  EXPECT_EQ(made_, 2 * GetParam());
  Swarm(plan_, options(kept)).step(1, memoryx_);
  EXPECT_EQ(made_, 3 * GetParam()) << "a wafer has one plan at a time";
}

TEST_P(KeptTest, FailureEvicts) {
  const auto kept = std::make_shared<WaferCache>();
  {
    Swarm swarm(plan_, options(kept, {.hangs_after = 1}));
    EXPECT_THROW(swarm.step(0, memoryx_), WaferHang);
  }
  const int before = made_;
  Swarm swarm(plan_, options(kept));
  swarm.step(0, memoryx_);
  EXPECT_GT(made_, before);
}

INSTANTIATE_TEST_SUITE_P(Wafers, KeptTest, testing::Values(1, 3, 7));

TEST(WaferCache, AreNotThoseWithinAPass) {
  const compiler::Plan plan = fake_plan();
  Leaf idle(plan, make_fake_wafer(plan, {}), 0), at_work(plan, make_fake_wafer(plan, {}), 0);
  std::vector<Frame> up;
  Frame begin{.type = FrameType::Begin};
  at_work.handle(begin.carry(encode_pass({.train = true, .tasks = {{.member_id = 0, .micro_batch = 0}}})), up);
  EXPECT_NE(idle.release().wafer, nullptr);
  EXPECT_EQ(at_work.release().wafer, nullptr);
}

/// A root that gives way makes its members reconnect with their present wafers.
TEST(KeptMembers, BringTheirWafersToTheNextSwarm) {
  const compiler::Plan plan = fake_plan();
  std::atomic<int> made = 0;
  SwarmOptions options = fake_swarm(plan, 2, 2, 6, 0);
  let_join(options, 0);
  options.make_wafer = [&](int) {
    ++made;
    return make_fake_wafer(plan, {});
  };
  FirstFailure failure;
  std::vector<std::jthread> members;
  memoryx::MemoryX memoryx(plan, {});
  for (std::uint64_t step = 0; step < 4; ++step) {
    Swarm swarm(plan, options);
    options.port = swarm.port();  // the next swarms listen there as well
    for (int id = 0; members.size() < 2; ++id) members.push_back(start_member(failure, member_of(swarm, options, id)));
    swarm.step(step, memoryx);
    if (step < 3) swarm.give_way();
  }
  members.clear();
  failure.check();
  EXPECT_EQ(made, 2);

  memoryx::MemoryX alone(plan, {});
  Swarm swarm(plan, fake_swarm(plan, 1, 2, 6, 0));
  for (std::uint64_t step = 0; step < 4; ++step) swarm.step(step, alone);
  EXPECT_EQ(memoryx.hash(), alone.hash());
}

}  // namespace
}  // namespace weft::swarmx
