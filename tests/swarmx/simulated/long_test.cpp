/// Like simulated_test, with more schedules.
#include <gtest/gtest.h>

#include "tests/swarmx/simulated/schedules.hpp"

namespace weft::swarmx::simulated {
namespace {

TEST(SimulatedLong, TenThousandSchedulesEndWithTheSameBits) {
  EXPECT_EQ(schedules(test::test_seed(), 10000, {}, true).schedules, 10000);
}

}  // namespace
}  // namespace weft::swarmx::simulated
