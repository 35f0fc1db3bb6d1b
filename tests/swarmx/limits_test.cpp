/// A system limit reached by many wafers is reported at once, in the system's own words.
#include <gtest/gtest.h>

#include <boost/system/system_error.hpp>
#include <chrono>

#include "tests/swarmx/descriptors.hpp"
#include "tests/swarmx/fake.hpp"
#include "tests/swarmx/impostor.hpp"

namespace weft::swarmx {
namespace {

TEST(Limits, TooFewDescriptorsAreReportedAtOnce) {
  const compiler::Plan plan = fake_plan();
  const FewDescriptors few(40);
  const auto start = std::chrono::steady_clock::now();
  try {
    const Swarm swarm(plan, fake_swarm(plan, 64, 4, 1, 0));
    ADD_FAILURE() << "no failure";
  } catch (const boost::system::system_error& error) {
    EXPECT_SAYS(std::string(error.what()), "Too many open files");
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST(Limits, AWaferCostsTwoDescriptors) {
  const compiler::Plan plan = fake_plan();
  constexpr int kWafers = 256, kFanout = 4, kNodes = 4 + 16 + 64;
  const std::size_t before = used_descriptors().size();
  const Swarm swarm(plan, fake_swarm(plan, kWafers, kFanout, 1, 0));
  EXPECT_LE(used_descriptors().size() - before, 2U * (kWafers + kNodes) + 8);
}

TEST(Limits, AThousandWafersGiveTheBitsOfOne) {
  const compiler::Plan plan = fake_plan();
  memoryx::MemoryX one(plan, {}), many(plan, {});
  Swarm small(plan, fake_swarm(plan, 1, 4, 9, 0)), large(plan, fake_swarm(plan, 1024, 4, 9, 0));
  small.step(0, one);
  large.step(0, many);
  EXPECT_EQ(one.hash(), many.hash());
}

}  // namespace
}  // namespace weft::swarmx
