/// Stream pieces with implicit messages reach the wafer as if all messages were explicit.
#include "verif/model/step/incoming.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "tests/model/gemm.hpp"
#include "tests/model/in_runs.hpp"
#include "verif/model/edge/edge.hpp"

namespace weft::model::incoming_test {
namespace {

struct Some {
  std::vector<std::uint32_t> destinations = std::vector<std::uint32_t>(500);
  std::vector<std::uint16_t> values = std::vector<std::uint16_t>(500);
  machine::StreamPiece piece;
};

/// Commands and runs in any order, including empty runs.
Some some(std::mt19937& random, int rows) {
  Some some;
  for (std::uint32_t& destination : some.destinations)
    destination = static_cast<std::uint32_t>(random() % static_cast<unsigned>(rows)) << 31;
  for (std::uint16_t& value : some.values) value = static_cast<std::uint16_t>(random());
  for (std::size_t n = random() % 12; n > 0; --n) {
    if (random() % 2 == 0) {
      some.piece.messages.push_back({static_cast<std::uint32_t>(random()), random() % 3 == 0});
      continue;
    }
    const std::size_t first = random() % 400, count = random() % 3 == 0 ? 0 : random() % 100;
    some.piece.runs.push_back({some.piece.messages.size(), std::span(some.destinations).subspan(first, count),
                               random() % 3 == 0 ? nullptr : &some.values[first]});
  }
  return some;
}

TEST(Incoming, IsHandedOutWholeAndInOrderInAnyPortions) {
  std::mt19937 random(1);
  for (int n = 0; n < 2000; ++n) {
    const Some from = some(random, 2);
    std::vector<machine::Message> expected, all;
    from.piece.make(expected);
    EXPECT_EQ(expected.size(), from.piece.size());
    Incoming incoming(from.piece);
    for (int turns = 0; incoming.left() > 0 && turns < 10000; ++turns) {
      const auto messages = incoming.messages(1 + random() % 40);
      all.insert(all.end(), messages.begin(), messages.end());
      incoming.took(messages.size());
      if (const auto run = incoming.run(random() % 40))
        for (std::size_t k = 0; k < run->destinations.size(); ++k)
          all.push_back({run->destinations[k] | (run->values != nullptr ? run->values[k] : 0U), false});
    }
    ASSERT_EQ(all, expected) << n;
  }
}

TEST(Incoming, GivesAWaferWhatItsMessagesWould) {
  std::mt19937 random(2);
  for (const int threads : {1, 2}) {
    const machine::WaferShape shape{.rows = 3, .cols = 2};
    const Gemm gemm(shape, 32, 600, 40, 0.9, 7);
    Rig rig(shape, threads);
    gemm.load(rig);
    rig.feed();
    ASSERT_TRUE(rig.pending.empty());
    const InRuns runs(gemm.stream, [&](unsigned n) { return 1 + random() % n; });
    std::vector<machine::Message> all;
    runs.piece.make(all);
    ASSERT_EQ(all, gemm.stream);
    const std::uint64_t before = rig.wafer->counters().edge_messages;
    rig.wafer->feed_piece(runs.piece);
    rig.wafer->settle();
    gemm.check(rig);
    EXPECT_EQ(rig.wafer->counters().edge_messages - before, gemm.stream.size());
  }
}

TEST(Incoming, ReachesTheRowThatItsMessagesWould) {
  for (int rows = 1; rows <= 40; ++rows) {
    const machine::WaferShape shape{.rows = rows, .cols = 1};
    const auto row_of = [&](std::uint32_t word) { return static_cast<int>(word >> 16) >> shape.row_shift(); };
    std::mt19937 random(static_cast<unsigned>(rows));
    std::vector<std::uint32_t> destinations(500), to_row[40], expected[40];
    for (std::size_t k = 0; k < destinations.size(); ++k) {
      const bool same = k > 0 && random() % 3 != 0;  // stretches of one row
      destinations[k] = same ? destinations[k - 1] : static_cast<std::uint32_t>(random()) & 0xffff0000;
      if (row_of(destinations[k]) < rows) expected[row_of(destinations[k])].push_back(destinations[k]);
    }
    std::uint32_t* ends[40];
    for (int row = 0; row < rows; ++row) to_row[row].resize(500), ends[row] = to_row[row].data();
    Intake intake(shape);
    intake.distribute({0, destinations, nullptr}, [&](std::size_t row) -> std::uint32_t*& { return ends[row]; });
    for (int row = 0; row < rows; ++row) {
      to_row[row].resize(static_cast<std::size_t>(ends[row] - to_row[row].data()));
      EXPECT_EQ(to_row[row], expected[row]) << "row " << row << " of " << rows;
    }
  }
}

TEST(Incoming, ForNoRowIsFlagged) {
  const auto wafer = make_model_wafer({.rows = 3, .cols = 1});
  const std::vector<std::uint32_t> destinations = {3U << 30};
  machine::StreamPiece piece;
  piece.runs = {{0, destinations, nullptr}};
  wafer->feed_piece(piece);
  EXPECT_NE(wafer->flags().find("row 2 edge"), std::string::npos) << wafer->flags();
}

}  // namespace
}  // namespace weft::model::incoming_test
