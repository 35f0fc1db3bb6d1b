/// Stall counts of a board, read through the debug chain, equal the tiles' own.
#include <gtest/gtest.h>

#include <numeric>

#include "host/board/wafer/board_wafer.hpp"
#include "host/inspect/profile/measure.hpp"
#include "tests/board/direct_line.hpp"
#include "tests/cosim/tiny.hpp"

namespace weft::board {
namespace {

constexpr machine::WaferShape kShape{.rows = WEFT_BOARD_ROWS, .cols = WEFT_BOARD_COLS, .sram_kib = WEFT_BOARD_SRAM_KIB};

std::unique_ptr<Wafer> new_board() {
  return make_board_wafer(
      std::make_unique<DirectLine>(std::make_shared<emulator::EmulatedBoard>(emulator::EmulatedBoard::Line::Packets)),
      kShape);
}

machine::Message mark(std::uint16_t tag) { return machine::Message::command(machine::Command::Mark, 0, tag); }

std::uint64_t sum(const sim::StallRecord& r, std::size_t thread) {
  return std::accumulate(r.counts[thread].begin(), r.counts[thread].end(), std::uint64_t{0});
}

TEST(BoardCounts, AreTheSameHoweverOftenTheyAreRead) {
  const auto board = new_board();
  const machine::Message first = mark(7), second = mark(40000);
  board->feed({&first, 1});
  board->feed({&second, 1});
  board->settle();
  const std::vector<sim::StallRecord> records = read_counts(*board);
  ASSERT_EQ(records.size(), 4U);
  for (const sim::StallRecord& r : records) {
    EXPECT_EQ(r.tag, 40000);
    EXPECT_FALSE(r.overflow);
    EXPECT_EQ(sum(r, 0), r.count(0, isa::StallReason::Command)) << "it had nothing to do";
    EXPECT_EQ(sum(r, 1), r.count(1, isa::StallReason::Asleep));
    EXPECT_EQ(sum(r, 0), sum(r, 1));
    EXPECT_GT(sum(r, 0), 0U);
  }
  EXPECT_EQ(read_counts(*board), records);
  const machine::Message third = mark(3);
  board->feed({&third, 1});
  board->settle();
  const std::vector<sim::StallRecord> next = read_counts(*board);
  EXPECT_GT(sum(next[0], 0), 40U * 6 * 23 * 19) << "the time that the counts took on the chain is counted, too";
  EXPECT_EQ(next[3].tag, 3);
}

/// A board's stream is slower than a simulation's, so its tiles wait longer; the issued instructions are the same.
TEST(BoardCounts, MicroBatchCountsEqualTheSimulation) {
  compiler::ModelShape model = cosim::tiny_model();
  model.layers = 1, model.seq = 4, model.micro_batch = 1;
  const cosim::Tiny tiny(kShape, model);
  const auto measured = [&](inspect::profile::CountingWafer& wafer) {
    memoryx::MemoryX memoryx(tiny.plan, {});
    return inspect::profile::measure(tiny.plan, memoryx, {tiny.inputs, tiny.labels}, 0, wafer);
  };
  const auto rtl = sim::make_clocked_wafer(kShape);
  const auto board = new_board();
  const inspect::profile::Profile simulated = measured(*inspect::profile::simulated(tiny.plan, *rtl));
  const inspect::profile::Profile here = measured(*inspect::profile::on_board(tiny.plan, *board));
  ASSERT_EQ(here.phases.size(), simulated.phases.size());
  for (std::size_t p = 0; p < here.phases.size(); ++p) {
    const inspect::profile::Phase &a = simulated.phases[p], &b = here.phases[p];
    EXPECT_EQ(a.multiply_adds, b.multiply_adds);
    EXPECT_EQ(a.valves[0].messages, b.valves[0].messages) << a.name;
    for (std::size_t row = 0; row < a.outlets.size(); ++row)
      EXPECT_EQ(a.outlets[row].messages, b.outlets[row].messages) << a.name;
    for (std::size_t t = 0; t < a.tiles.size(); ++t) {
      SCOPED_TRACE(a.name + ", tile " + std::to_string(t));
      EXPECT_EQ(sum(b.tiles[t], 0), sum(b.tiles[t], 1));
      EXPECT_EQ(b.tiles[t].cycles(), sum(b.tiles[t], 0));
      for (int thread = 0; thread < sim::kThreads; ++thread)
        EXPECT_EQ(a.tiles[t].count(thread, isa::StallReason::Issued),
                  b.tiles[t].count(thread, isa::StallReason::Issued))
            << thread;
    }
  }
}

}  // namespace
}  // namespace weft::board
