/// Reconnection times of a lost process.
#include "host/swarmx/base/reconnect_backoff.hpp"

#include <gtest/gtest.h>

namespace weft {
namespace {

using namespace std::chrono_literals;

TEST(Again, IsAtOnceAfterASessionThatLasted) {
  Again again;
  for (int n = 0; n < 5; ++n) EXPECT_EQ(again.after(Again::kLasted), 0ms);
}

TEST(Again, IsLaterEachTimeAfterOneThatDidNot) {
  Again again;
  EXPECT_EQ(again.after(1ms), 0ms);
  EXPECT_EQ(again.after(1ms), 20ms);
  EXPECT_EQ(again.after(1ms), 40ms);
  for (int n = 0; n < 100; ++n) EXPECT_LE(again.after(1ms), Again::kLongest);
  EXPECT_EQ(again.after(1ms), Again::kLongest);
  EXPECT_EQ(again.after(Again::kLasted), 0ms) << "it is over";
}

TEST(Again, EndsWhenItIsToLeave) {
  Again again;
  for (int n = 0; n < 20; ++n) again.after(1ms);
  EXPECT_TRUE(again.wait(1ms, [] { return true; }));
}

}  // namespace
}  // namespace weft
