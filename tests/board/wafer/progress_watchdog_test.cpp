#include "host/board/wafer/progress_watchdog.hpp"

#include <gtest/gtest.h>

#include "host/board/link/session.hpp"

namespace weft::board {
namespace {

using Verdict = ProgressWatchdog::Verdict;

/// A wafer at rest that has sent all its words, and its host.
struct Scene {
  Status status{.cycles = 1000, .messages = 50, .words = 7};
  ProgressWatchdog::Host host{.now = Time{}, .words = 7, .confirms_all = true, .awaits = true};
  ProgressWatchdog watchdog;

  /// Verdict on the next STATUS, `cycles` and `seconds` later.
  Verdict next(std::uint64_t cycles = 1000, int seconds = 0) {
    status.cycles += cycles, host.now += std::chrono::seconds(seconds);
    return watchdog.evaluate(status, host);
  }
};

TEST(ProgressWatchdog, HangInTwoStatusIsAHang) {
  Scene s;
  EXPECT_EQ(s.next(), Verdict::Progresses);
  EXPECT_EQ(s.next(0), Verdict::Progresses) << "the same STATUS";
  EXPECT_EQ(s.next(), Verdict::Hangs);
  s.watchdog.begin();
  EXPECT_EQ(s.next(), Verdict::Progresses) << "nothing is left of the session before";
}

TEST(ProgressWatchdog, ProgressBetweenIsNoHang) {
  for (std::uint64_t Status::*const what : {&Status::messages, &Status::words}) {
    Scene s;
    s.next();
    ++(s.status.*what);
    s.host.words = s.status.words;
    EXPECT_EQ(s.next(), Verdict::Progresses);
    EXPECT_EQ(s.next(), Verdict::Hangs);
  }
  Scene s;
  s.status.waiting = true;
  s.host.waiting = 300;
  s.next();
  s.host.waiting = 200;
  EXPECT_EQ(s.next(), Verdict::Progresses) << "frames took some of it";
  EXPECT_EQ(s.next(), Verdict::Hangs);
}

TEST(ProgressWatchdog, InFlightWorkIsNoHang) {
  const std::vector<void (*)(Scene&)> ways = {
      [](Scene& s) { s.status.awake = true; }, [](Scene& s) { s.status.unsent = true; },
      [](Scene& s) { s.host.words = 6; }, [](Scene& s) { s.host.in_flight = true; },
      [](Scene& s) { s.host.confirms_all = false; }};
  for (const auto& way : ways) {
    Scene s;
    way(s);
    for (int n = 0; n < 5; ++n) EXPECT_EQ(s.next(), Verdict::Progresses);
  }
}

TEST(ProgressWatchdog, OneQuietStatusIsNotTwo) {
  Scene s;
  s.status.awake = true;
  s.next();
  s.status.awake = false;
  EXPECT_EQ(s.next(), Verdict::Progresses);
  EXPECT_EQ(s.next(), Verdict::Hangs);
}

/// A wafer at rest with all words sent, or with room for more messages, is not waiting for anything.
TEST(ProgressWatchdog, RestIsNoHang) {
  Scene rests;
  rests.host.awaits = false;
  Scene has_room;
  has_room.host.waiting = 300;
  Scene expands;
  expands.status.expanding = true, expands.host.awaits = false;
  for (Scene* s : {&rests, &has_room, &expands})
    for (int n = 0; n < 5; ++n) EXPECT_EQ(s->next(), Verdict::Progresses);
}

TEST(ProgressWatchdog, AMessageThatWaitsAtTheValveIsOne) {
  Scene s;
  s.status.waiting = true, s.host.awaits = false;
  s.next();
  EXPECT_EQ(s.next(), Verdict::Hangs);
}

TEST(ProgressWatchdog, ARecordWithoutRoomIsOne) {
  Scene s;
  s.status.expanding = true, s.host.awaits = false, s.host.waiting = 300;
  s.next();
  EXPECT_EQ(s.next(), Verdict::Hangs);
}

TEST(ProgressWatchdog, WorkWithoutAMessageEnds) {
  Scene s;
  s.status.awake = true;
  s.next();
  EXPECT_EQ(s.next(ProgressWatchdog::kMostWork - 1), Verdict::Progresses);
  EXPECT_EQ(s.next(1), Verdict::NoTraffic);

  for (std::uint64_t Status::*const what : {&Status::messages, &Status::words}) {
    Scene goes_on;
    goes_on.status.awake = true;
    for (int n = 0; n < 5; ++n) {
      EXPECT_EQ(goes_on.next(ProgressWatchdog::kMostWork), Verdict::Progresses);
      ++(goes_on.status.*what);
      goes_on.host.words = goes_on.status.words;
    }
  }
  Scene rests;
  rests.host.awaits = false;
  for (int n = 0; n < 6; ++n) {
    rests.status.awake = n % 2 == 0;
    EXPECT_EQ(rests.next(ProgressWatchdog::kMostWork), Verdict::Progresses);
  }
  Scene full;  // its outlets are full
  full.status.awake = full.status.unsent = true;
  for (int n = 0; n < 5; ++n) EXPECT_EQ(full.next(ProgressWatchdog::kMostWork), Verdict::Progresses);
}

TEST(ProgressWatchdog, OverdueWorkIsAHang) {
  constexpr int kStall = std::chrono::seconds(Session::kStall).count();
  const std::vector<void (*)(Scene&)> ways = {[](Scene& s) { s.status.unsent = true; },
                                              [](Scene& s) { s.host.words = 6; },
                                              [](Scene& s) { s.host.confirms_all = false; }};
  for (const auto& way : ways) {
    Scene s;
    way(s);
    s.next();
    for (int n = 1; n < ProgressWatchdog::kLeastLacks; ++n)
      EXPECT_EQ(s.next(1000, kStall), Verdict::Progresses) << "a host that slept";
    EXPECT_EQ(s.next(), Verdict::Overdue);

    Scene quick;
    way(quick);
    for (int n = 0; n < 2 * ProgressWatchdog::kLeastLacks; ++n)
      EXPECT_EQ(quick.next(), Verdict::Progresses) << "no time has passed";

    Scene comes;
    way(comes);
    for (int n = 0; n < 2 * ProgressWatchdog::kLeastLacks; ++n) {
      EXPECT_EQ(comes.next(1000, kStall), Verdict::Progresses);
      ++comes.host.words, ++comes.status.words;
    }

    Scene takes;
    way(takes);
    for (int n = 0; n < 2 * ProgressWatchdog::kLeastLacks; ++n) {
      EXPECT_EQ(takes.next(1000, kStall), Verdict::Progresses);
      ++takes.status.messages;
    }
  }
  Scene sends;  // the link itself reports missing confirmations
  sends.host.in_flight = true, sends.host.confirms_all = false;
  for (int n = 0; n < 2 * ProgressWatchdog::kLeastLacks; ++n) EXPECT_EQ(sends.next(1000, kStall), Verdict::Progresses);
}

}  // namespace
}  // namespace weft::board
