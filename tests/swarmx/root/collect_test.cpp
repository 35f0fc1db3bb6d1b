/// The root's two threads share a step's state.
#include "host/swarmx/root/collect.hpp"

#include <gtest/gtest.h>

#include "host/swarmx/base/error.hpp"
#include "tests/swarmx/small_plan.hpp"

namespace weft::swarmx {
namespace {

struct WithoutWafers {
  compiler::Plan plan = small_plan();
  FirstFailure run{[] {}};
  Collect collect{plan, run, {.timeout = std::chrono::milliseconds(100)}, [] { return std::string("none is left"); }};
};

TEST(Collect, AnOpenStepWaitsForWafersUntilTheTimeout) {
  WithoutWafers s;
  s.collect.begin(1, false, 1, nullptr);
  EXPECT_THROW(s.collect.next(), PeerLost);
}

/// The last wafer may be lost between its last contribution and the root's next look.
TEST(Collect, ACompleteStepWaitsForNoWafer) {
  WithoutWafers s;
  s.collect.begin(1, false, 0, nullptr);
  EXPECT_FALSE(s.collect.next().has_value());
}

}  // namespace
}  // namespace weft::swarmx
