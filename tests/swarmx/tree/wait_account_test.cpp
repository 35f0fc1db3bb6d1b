#include "host/swarmx/tree/wait_account.hpp"

#include <gtest/gtest.h>

namespace weft::swarmx {
namespace {

using namespace std::chrono_literals;

TEST(WaitAccount, IsExceededByMoreThanSixOfTenSeconds) {
  WaitAccount account;
  const WaitAccount::Time begin{};
  for (int n = 0; n < 6; ++n) account.add(begin + n * 1s, begin + (n + 1) * 1s);
  EXPECT_FALSE(account.is_exceeded(begin + 6s));
  account.add(begin + 9s, begin + 9100ms);
  EXPECT_TRUE(account.is_exceeded(begin + 9100ms));
  EXPECT_FALSE(account.is_exceeded(begin + 10200ms)) << "the oldest second counts no longer as a whole";
}

TEST(WaitAccount, ForgetsWhatIsOlder) {
  WaitAccount account;
  const WaitAccount::Time begin{};
  for (int n = 0; n < 100; ++n) {
    account.add(begin + n * 2s, begin + n * 2s + 1s);
    EXPECT_FALSE(account.is_exceeded(begin + n * 2s + 1s)) << "half of the time";
  }
}

TEST(HoldBack, DoublesEachTimeUpToFiveMinutes) {
  HoldBack hold_back;
  WaitAccount::Time now{};
  EXPECT_FALSE(hold_back.holds("wafer 2", now));
  for (const auto pause : {30s, 60s, 120s, 240s, 300s, 300s}) {
    hold_back.disconnect("wafer 2", now);
    EXPECT_TRUE(hold_back.holds("wafer 2", now + pause - 1ms)) << pause.count();
    EXPECT_FALSE(hold_back.holds("wafer 2", now + pause)) << pause.count();
    EXPECT_FALSE(hold_back.holds("wafer 1", now));
    now += pause + 1s;
  }
  now += 2h;
  hold_back.disconnect("wafer 2", now);
  EXPECT_FALSE(hold_back.holds("wafer 2", now + 30s)) << "a long time ago";
}

}  // namespace
}  // namespace weft::swarmx
