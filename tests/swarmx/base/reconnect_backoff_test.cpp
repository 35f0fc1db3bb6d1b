/// Reconnection times of a lost process.
#include "host/swarmx/base/reconnect_backoff.hpp"

#include <gtest/gtest.h>

namespace weft::swarmx {
namespace {

using namespace std::chrono_literals;

TEST(Backoff, IsAtOnceAfterASessionThatLasted) {
  Backoff backoff;
  for (int n = 0; n < 5; ++n) EXPECT_EQ(backoff.after(Backoff::kLasted), 0ms);
}

TEST(Backoff, IsLaterEachTimeAfterOneThatDidNot) {
  Backoff backoff;
  EXPECT_EQ(backoff.after(1ms), 0ms);
  EXPECT_EQ(backoff.after(1ms), 20ms);
  EXPECT_EQ(backoff.after(1ms), 40ms);
  for (int n = 0; n < 100; ++n) EXPECT_LE(backoff.after(1ms), Backoff::kLongest);
  EXPECT_EQ(backoff.after(1ms), Backoff::kLongest);
  EXPECT_EQ(backoff.after(Backoff::kLasted), 0ms) << "it is over";
}

TEST(Backoff, EndsWhenItIsToLeave) {
  Backoff backoff;
  for (int n = 0; n < 20; ++n) backoff.after(1ms);
  EXPECT_TRUE(backoff.wait(1ms, [] { return true; }));
}

}  // namespace
}  // namespace weft::swarmx
