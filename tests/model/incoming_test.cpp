/// Stream pieces with implicit messages reach the wafer as if all messages were explicit.
#include "verif/model/step/incoming.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "tests/model/gemm.hpp"

namespace weft::model {
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

/// A GEMM's stream, partly as messages and partly as runs.
machine::StreamPiece in_runs(const std::vector<machine::Message>& stream, Some& from, std::mt19937& random) {
  from.destinations.resize(stream.size());
  from.values.resize(stream.size());
  machine::StreamPiece piece;
  for (std::size_t k = 0; k < stream.size();) {
    std::size_t end = k;
    while (end < stream.size() && !stream[end].ctrl && end - k < 1 + random() % 3000) {
      from.destinations[end] = stream[end].data & 0xffff0000;
      from.values[end] = static_cast<std::uint16_t>(stream[end].data);
      ++end;
    }
    if (end > k && random() % 4 != 0) {
      piece.runs.push_back({piece.messages.size(), std::span(from.destinations).subspan(k, end - k), &from.values[k]});
      k = end;
    } else {
      piece.messages.push_back(stream[k++]);
    }
  }
  return piece;
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
    Some from;
    const machine::StreamPiece piece = in_runs(gemm.stream, from, random);
    std::vector<machine::Message> all;
    piece.make(all);
    ASSERT_EQ(all, gemm.stream);
    const std::uint64_t before = rig.wafer->counters().edge_messages;
    rig.wafer->feed_piece(piece);
    rig.wafer->settle();
    gemm.check(rig);
    EXPECT_EQ(rig.wafer->counters().edge_messages - before, gemm.stream.size());
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
}  // namespace weft::model
