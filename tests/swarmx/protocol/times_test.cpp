#include "host/swarmx/protocol/times.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace weft::swarmx {
namespace {

using namespace std::chrono_literals;

struct Times : testing::Test {
  StepClock::Time now{};
  StepClock clock{[this] { return now; }};
};

TEST_F(Times, EachMomentIsOfTheInnermostPartAlone) {
  now += 1s;
  {
    const StepClock::In streams(&clock, Part::Stream);
    now += 2s;
    {
      const StepClock::In waits(&clock, Part::Room);
      EXPECT_EQ(clock.now(), Part::Room);
      now += 4s;
    }
    now += 8s;
    EXPECT_EQ(clock.now(), Part::Stream);
  }
  now += 16s;
  const StepTimes times = clock.take();
  EXPECT_EQ(times[Part::Rest], 17);
  EXPECT_EQ(times[Part::Stream], 10);
  EXPECT_EQ(times[Part::Room], 4);
  EXPECT_EQ(times.sum(), 31);
}

TEST_F(Times, AFailureEndsAPart) {
  EXPECT_THROW(
      {
        const StepClock::In waits(&clock, Part::Wait);
        now += 1s;
        throw std::runtime_error("lost");
      },
      std::runtime_error);
  now += 2s;
  const StepTimes times = clock.take();
  EXPECT_EQ(times[Part::Wait], 1);
  EXPECT_EQ(times[Part::Rest], 2);
}

TEST_F(Times, TakenTimeIsGoneAndPartContinues) {
  const StepClock::In updates(&clock, Part::Update);
  now += 1s;
  EXPECT_EQ(clock.take()[Part::Update], 1);
  now += 2s;
  EXPECT_EQ(clock.take()[Part::Update], 2);
  EXPECT_EQ(clock.take().sum(), 0);
}

TEST_F(Times, ReducingIsTakenFromWaitingAndNoMoreThanThereIs) {
  {
    const StepClock::In waits(&clock, Part::Wait);
    now += 5s;
  }
  {
    const StepClock::In computes(&clock, Part::Compute);
    now += 2s;
  }
  clock.reduced(1s);
  EXPECT_EQ(clock.take()[Part::Compute], 1);
  {
    const StepClock::In waits(&clock, Part::Wait);
    now += 5s;
  }
  clock.reduced(3s);
  clock.reduced(4s);
  const StepTimes times = clock.take();
  EXPECT_EQ(times[Part::Wait], 0);
  EXPECT_EQ(times[Part::Reduce], 5);
  EXPECT_EQ(times.sum(), 5);
}

TEST_F(Times, TwoSpansAddUp) {
  now += 1s;
  const StepTimes first = clock.take();
  {
    const StepClock::In streams(&clock, Part::Stream);
    now += 2s;
  }
  const StepTimes both = first + clock.take();
  EXPECT_EQ(both[Part::Rest], 1);
  EXPECT_EQ(both[Part::Stream], 2);
}

TEST(TimesWithoutAnOwner, AreNotKept) { const StepClock::In waits(nullptr, Part::Wait); }

}  // namespace
}  // namespace weft::swarmx
