/// Streams over a line that flips, cuts, duplicates, delays and loses frames arrive exactly, or end with a clear error.
#include <gtest/gtest.h>

#include <random>

#include "host/board/link/session.hpp"
#include "host/board/wafer/board_wafer.hpp"
#include "tests/board/echo_wafer.hpp"
#include "tests/board/simulated_line.hpp"

namespace weft::board::lossy_line_test {
namespace {

const machine::WaferShape kShape{.rows = 4, .cols = 2};

std::vector<machine::Message> some_messages(std::mt19937_64& rng, std::size_t count) {
  std::vector<machine::Message> messages;
  while (messages.size() < count) {
    const std::size_t width = 1 + rng() % 40;
    const auto first = static_cast<std::uint16_t>(rng());
    for (std::size_t outputs = rng() % 6 + 1; outputs > 0; --outputs) {
      for (std::size_t i = 0; i < width; ++i)
        messages.push_back(
            machine::Message::weight(static_cast<std::uint16_t>(first + i * 997), static_cast<std::uint16_t>(rng())));
      messages.push_back(machine::Message::command(machine::Command::CR, 0, 0));
    }
    messages.push_back(machine::Message::command(machine::Command::Setreg, static_cast<std::uint8_t>(rng()),
                                                 static_cast<std::uint16_t>(rng())));
  }
  return messages;
}

struct Outcome {
  std::uint64_t again = 0, damaged = 0;
};

/// Sends random messages and compares both ends.
Outcome run(Damage damage, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  auto board = std::make_shared<FakeBoard>(std::make_unique<EchoWafer>(kShape));
  auto traffic = std::make_shared<LinkTraffic>();
  auto wafer = make_board_wafer(std::make_unique<SimulatedLine>(board, damage, seed), kShape, traffic);
  const std::vector<machine::Message> messages = some_messages(rng, 200 + rng() % 3000);
  std::vector<std::uint64_t> totals(4);
  std::vector<std::vector<std::uint32_t>> words(4);
  for (const machine::Message& m : messages)
    if (!m.ctrl) words[m.data >> 30].push_back(m.data);
  for (std::size_t r = 0; r < 4; ++r) totals[r] = words[r].size();
  for (std::size_t at = 0; at < messages.size();) {
    const std::size_t part = std::min<std::size_t>(1 + rng() % 700, messages.size() - at);
    wafer->feed(std::span(messages).subspan(at, part));
    at += part;
  }
  wafer->await(totals);
  wafer->settle();
  EXPECT_EQ(board->taken(), messages);
  for (int r = 0; r < 4; ++r) EXPECT_EQ(wafer->outlet(r), words[static_cast<std::size_t>(r)]) << r;
  EXPECT_EQ(wafer->counters().edge_messages, messages.size() + totals[0] + totals[1] + totals[2] + totals[3]);
  wafer.reset();
  return {traffic->again, traffic->damaged};
}

TEST(LossyLine, AGoodOneSendsNothingAgain) {
  const Outcome outcome = run({}, 1);
  EXPECT_EQ(outcome.again, 0U);
  EXPECT_EQ(outcome.damaged, 0U);
}

TEST(LossyLine, PacketsComeThroughWhateverHappensToSome) {
  Outcome all;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 rng(seed);
    const auto some = [&] { return static_cast<unsigned>(rng() % 80); };
    const Outcome one =
        run({.flips = some(), .cuts = some(), .doubles = some(), .delays = some(), .losses = some()}, seed);
    if (testing::Test::HasFailure()) return;
    all.again += one.again;
    all.damaged += one.damaged;
  }
  EXPECT_GT(all.again, 1000U);
  EXPECT_GT(all.damaged, 1000U);
}

TEST(LossyLine, BytesComeThroughWhateverHappensToSome) {
  Outcome all;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 rng(seed);
    const auto some = [&] { return static_cast<unsigned>(rng() % 80); };
    const Outcome one = run({.flips = some(), .cuts = some(), .losses = some(), .serial = true}, seed);
    if (testing::Test::HasFailure()) return;
    all.again += one.again;
    all.damaged += one.damaged;
  }
  EXPECT_GT(all.again, 1000U);
  EXPECT_GT(all.damaged, 1000U);
}

TEST(LossyLine, ASlowOneIsNotSentEverythingTwice) {
  auto board = std::make_shared<FakeBoard>(std::make_unique<EchoWafer>(kShape));
  auto line = std::make_unique<SimulatedLine>(board);
  line->latency = std::chrono::milliseconds(200);
  auto traffic = std::make_shared<LinkTraffic>();
  auto wafer = make_board_wafer(std::move(line), kShape, traffic);
  std::mt19937_64 rng(1);
  wafer->feed(some_messages(rng, 100000));
  wafer->settle();
  wafer.reset();
  EXPECT_GT(traffic->frames, 400U);
  EXPECT_LT(traffic->again, traffic->frames / 10);
}

/// A copy of every packet arrives 256 DATA frames later, when the same lower bits of the number are due, or slightly
/// earlier or later.
TEST(LossyLine, OldCopiesAreNeverTaken) {
  for (const std::size_t late : {255U, 256U, 257U, 512U}) {
    SCOPED_TRACE(late);
    auto board = std::make_shared<FakeBoard>(std::make_unique<EchoWafer>(kShape));
    auto line = std::make_unique<SimulatedLine>(board);
    line->late = late;
    auto traffic = std::make_shared<LinkTraffic>();
    auto wafer = make_board_wafer(std::move(line), kShape, traffic);
    std::mt19937_64 rng(1);
    const std::vector<machine::Message> messages = some_messages(rng, 400000);
    std::vector<std::uint64_t> totals(4);
    std::vector<std::vector<std::uint32_t>> words(4);
    for (const machine::Message& m : messages)
      if (!m.ctrl) words[m.data >> 30].push_back(m.data);
    for (std::size_t r = 0; r < 4; ++r) totals[r] = words[r].size();
    wafer->feed(messages);
    wafer->await(totals);
    wafer->settle();
    EXPECT_EQ(board->taken(), messages);
    for (int r = 0; r < 4; ++r) EXPECT_EQ(wafer->outlet(r), words[static_cast<std::size_t>(r)]) << r;
    wafer.reset();
    EXPECT_FALSE(board->in_session()) << "it has said BYE";
    EXPECT_GT(traffic->frames, 2000U);
    EXPECT_GT(traffic->damaged, 1000U);
  }
}

TEST(LossyLine, OneThatLosesEverythingIsAClearEnd) {
  auto board = std::make_shared<FakeBoard>(std::make_unique<EchoWafer>(kShape));
  auto line = std::make_unique<SimulatedLine>(board, Damage{.losses = 1000});
  try {
    make_board_wafer(std::move(line), kShape);
    FAIL();
  } catch (const BoardLost& lost) {
    EXPECT_TRUE(std::string(lost.what()).starts_with("the board at simulated does not answer")) << lost.what();
  }
}

}  // namespace
}  // namespace weft::board::lossy_line_test
