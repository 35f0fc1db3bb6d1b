/// The built form of a tile's cycle counters, read as a board reads them: bit by bit through the tile's port.
#include <gtest/gtest.h>

#include <deque>
#include <map>

#include "Vweft_tile.h"
#include "isa_machine.hpp"
#include "sw/asm/assembler.hpp"
#include "sw/machine/message.hpp"
#include "tests/clock.hpp"
#include "verif/sim/stall_counter_code.hpp"
#include "verif/sim/stall_record.hpp"

namespace weft::test {
namespace {

using isa::StallReason;

constexpr int kBits = 23;

class Board {
 public:
  Board() : tile_(&context_) {
    tile_.rows_i = 1;
    tile_.sram_kib_i = 2;
    tile_.tally_cycles_i = 1;
    reset(tile_);
  }
  ~Board() { Verilated::threadContextp(&context_); }

  void send(machine::Command code, int arg, unsigned value) {
    queue_.push_back(
        machine::Message::command(code, static_cast<std::uint8_t>(arg), static_cast<std::uint16_t>(value)));
  }
  void step() {
    tile_.w_valid_i = !queue_.empty() && credits_ > 0;
    if (tile_.w_valid_i) {
      tile_.w_msg_i = std::uint64_t{queue_.front().ctrl} << 37 | queue_.front().data;
      queue_.pop_front();
      --credits_;
    }
    clock(tile_);
    ++cycle_;
    credits_ += tile_.w_credit_o & 1;
    if (sim::is_fresh_stall_record(tile_.tally_o)) fresh_[static_cast<std::uint16_t>(tile_.tally_o[2])] = cycle_;
  }
  /// Runs until the record with this tag is complete.
  void wait_for(std::uint16_t tag) {
    for (int n = 0; n < 10'000 && !fresh_.contains(tag); ++n) step();
    ASSERT_TRUE(fresh_.contains(tag));
  }
  std::uint64_t cycles(std::uint16_t from, std::uint16_t to) const { return fresh_.at(to) - fresh_.at(from); }

  std::uint32_t read(int thread, StallReason reason) {
    std::uint32_t state = 0;
    tile_.tally_read_i = static_cast<CData>(1 << 5 | thread << 4 | static_cast<int>(reason));
    for (int bit = 0; bit < kBits; ++bit) {
      tile_.eval();
      state = state << 1 | (tile_.tally_o[2] >> 18 & 1);
      step();
    }
    tile_.tally_read_i = 0;
    return sim::stall_counter_steps(state, kBits);
  }

 private:
  VerilatedContext context_;
  Vweft_tile tile_;
  std::deque<machine::Message> queue_;
  int credits_ = isa::kDepth;
  std::uint64_t cycle_ = 0;
  std::map<std::uint16_t, std::uint64_t> fresh_;  // tag, the cycle of its record
};

TEST(StallsBuilt, ABoardReadsThemBitByBit) {
  constexpr unsigned kTimes = 300, kPsumTimes = 100;
  Board board;
  board.send(machine::Command::Iaddr, 0, 0);
  const assembler::Program program =
      assembler::assemble("fork P\n li r9, 300\nD: dbnz r9, D\n halt\nP: li r9, 100\nE: dbnz r9, E\n halt", "test", {});
  for (const std::uint32_t word : program.words) {
    board.send(machine::Command::Ilo, 0, word & 0xffff);
    board.send(machine::Command::Ihi, 0, word >> 16);
  }
  board.send(machine::Command::Mark, 0, 1);
  board.send(machine::Command::Call, 0, 0);
  board.send(machine::Command::Mark, 0, 2);
  ASSERT_NO_FATAL_FAILURE(board.wait_for(2));
  std::uint32_t sums[2] = {};
  for (int times = 0; times < 2; ++times) {  // reading does not change the record
    EXPECT_EQ(board.read(1, StallReason::Scalar), 1 + 2 * (kPsumTimes + 2));
    const std::uint32_t scalar = board.read(0, StallReason::Scalar);
    EXPECT_GE(scalar, 1 + 2 * (kTimes + 3));  // and the cost of fork, and of psum's turns at the adder
    EXPECT_LE(scalar, 1 + 2 * (kTimes + 3) + 5);
    EXPECT_EQ(scalar + board.read(0, StallReason::Command), board.cycles(1, 2));
    EXPECT_EQ(board.read(0, StallReason::Weight), 0u);
  }
  for (int thread = 0; thread < 2; ++thread)
    for (int reason = 0; reason < sim::kStallReasons; ++reason)
      sums[thread] += board.read(thread, static_cast<StallReason>(reason));
  EXPECT_EQ(sums[0], board.cycles(1, 2));
  EXPECT_EQ(sums[1], board.cycles(1, 2));
}

}  // namespace
}  // namespace weft::test
