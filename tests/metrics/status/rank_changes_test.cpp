#include "host/metrics/status/rank_changes.hpp"

#include <gtest/gtest.h>

#include "tests/metrics/status/lines.hpp"

namespace weft::metrics {
namespace {

using State = swarmx::RankStatus::State;
using Lines = std::vector<std::string>;

TEST(Changes, AreNoneWhileOnlyNumbersChange) {
  const std::vector before{wafer_line(1, State::Here)};
  std::vector now = before;
  now[0].status.done = 18;
  now[0].status.bytes_to += 1000;
  now[0].status.doing = swarmx::Doing{.step = 2, .micro_batch = 1};
  EXPECT_EQ(rank_changes(before, now), Lines());
}

TEST(Changes, ArrivalIsALineAndAwaitedRankIsNone) {
  const std::vector now{wafer_line(1, State::Here), wafer_line(2, State::NotYet)};
  EXPECT_EQ(rank_changes({}, now),
            Lines{"rank 1, wafer 0 on 10.0.0.1: here; 17 micro-batches, 12.34 MB to the rank, 4.5 kB from the rank"});
}

TEST(Changes, OneThatIsSlowSaysWhatItIsAtAndWhy) {
  const std::vector before{wafer_line(1, State::Here), wafer_line(2, State::Here)};
  std::vector now = before;
  now[1].status.state = State::Slow;
  now[1].status.why = "its link";
  now[1].status.doing = swarmx::Doing{.step = 3, .micro_batch = 5};
  now[1].status.waited = 4.21;
  now[1].status.waits = 1.25;
  EXPECT_EQ(rank_changes(before, now),
            Lines{"rank 2, wafer 1 on 10.0.0.2: slow, at micro-batch 5 of step 3 for 4.2 s; 17 micro-batches, 12.34 MB "
                  "to the rank, 4.5 kB from the rank, 1.2 s without a task: its link"});
}

TEST(Changes, OneThatIsLostSaysWhy) {
  const std::vector before{wafer_line(1, State::Here)};
  std::vector now{wafer_line(1, State::Lost, "its cable\nis cut")};
  now[0].status.losses = 1;
  EXPECT_EQ(rank_changes(before, now), Lines{"rank 1, wafer 0 on 10.0.0.1: lost; 17 micro-batches, 12.34 MB to the "
                                             "rank, 4.5 kB from the rank, lost 1 time: "
                                             "its cable\\x0ais cut"});
}

TEST(Changes, OneThatWasLostAndIsBackBetweenTwoLooksIsALine) {
  const std::vector before{wafer_line(1, State::Here)};
  std::vector now = before;
  now[0].status.losses = 1;
  EXPECT_EQ(rank_changes(before, now).size(), 1U);
  now = before;
  now[0].status.since += std::chrono::seconds(1);
  EXPECT_EQ(rank_changes(before, now).size(), 1U);
}

}  // namespace
}  // namespace weft::metrics
