/// States of a tile that the injected hangs do not reach: a board's debug chain shows the same state as the simulated
/// wafer.
#include <gtest/gtest.h>

#include "host/board/debug/hang_snapshot.hpp"
#include "host/board/debug/tile_reader.hpp"
#include "sw/asm/assembler.hpp"
#include "sw/compiler/program/load.hpp"
#include "sw/machine/hang.hpp"
#include "tests/board/board_colors.hpp"
#include "tests/board/direct_line.hpp"
#include "tests/board/single_records.hpp"
#include "verif/wafer.hpp"

namespace weft::test::debug_states_test {
namespace {

constexpr machine::WaferShape kShape{.rows = WEFT_BOARD_ROWS, .cols = WEFT_BOARD_COLS, .sram_kib = WEFT_BOARD_SRAM_KIB};

/// Routes, a program and its call.
std::vector<machine::Message> begins(const std::string& source) {
  std::vector<machine::Message> messages = compiler::route_messages(kShape);
  const auto load = compiler::program_messages(assembler::assemble(source, "state.s"));
  messages.insert(messages.end(), load.begin(), load.end());
  messages.push_back(machine::Message::command(machine::Command::Call, 0, 0));
  return messages;
}

std::shared_ptr<const machine::HangSnapshot> simulated(const std::vector<machine::Message>& messages) {
  const auto wafer = make_rtl_wafer(kShape);
  try {
    wafer->feed(messages);
    wafer->settle();
  } catch (const WaferHang& hang) {
    return std::make_shared<const machine::HangSnapshot>(board::of_board_colors(*hang.hang_snapshot));
  }
  return nullptr;
}

struct Board {
  explicit Board(const std::vector<machine::Message>& messages) {
    session.open();
    record.append(messages);
    session.link().enqueue(board::single_records(messages));
    for (int i = 0; i < 20; ++i) session.go_on(true, session.now() + std::chrono::nanoseconds(25) * 10000);
  }
  std::shared_ptr<machine::HangSnapshot> read() { return board::read_hang_snapshot(session, kShape, record, false); }

  std::shared_ptr<emulator::EmulatedBoard> board =
      std::make_shared<emulator::EmulatedBoard>(emulator::EmulatedBoard::Line::Packets);
  board::Session session{std::make_unique<board::DirectLine>(board)};
  board::StreamRecord record{kShape};
  board::DebugChain chain{session, kShape.rows, kShape.cols};
  board::TileReader tiles{chain, kShape};
};

/// Compares the parts of a tile's state that no other test compares in these states.
void expect_same(const std::vector<machine::Message>& messages) {
  const auto rtl = simulated(messages);
  ASSERT_TRUE(rtl) << "it does not hang inside a program";
  const auto here = Board(messages).read();
  EXPECT_EQ(rtl->rows, here->rows);
  EXPECT_EQ(rtl->valves, here->valves);
  for (std::size_t t = 0; t < rtl->tiles.size(); ++t) {
    SCOPED_TRACE(t);
    const machine::TileHang &a = rtl->tiles[t], &b = here->tiles[t];
    EXPECT_EQ(a.w, b.w);
    EXPECT_EQ(a.main, b.main);
    EXPECT_EQ(a.psum, b.psum);
    EXPECT_EQ(a.ramp, b.ramp);
    EXPECT_EQ(a.buffers, b.buffers);
    EXPECT_EQ(a.out.size(), b.out.size());
    EXPECT_EQ(a.state.mp.entries, b.state.mp.entries);
    EXPECT_EQ(a.state.pm.entries, b.state.pm.entries);
    for (const auto& [x, y] : {std::pair{a.state.mp.put_buffer, b.state.mp.put_buffer},
                               std::pair{a.state.mp.taken_buffer, b.state.mp.taken_buffer},
                               std::pair{a.state.pm.put_buffer, b.state.pm.put_buffer},
                               std::pair{a.state.pm.taken_buffer, b.state.pm.taken_buffer}})
      EXPECT_EQ(x, y);
  }
}

/// One of two columns takes weights, the other waits: the front of W has been sent to one branch, and every weight is
/// different.
TEST(DebugStates, WeightsThatHaveGoneHalfTheWay) {
  for (const int waits : {0, 1}) {
    SCOPED_TRACE(waits);
    auto messages = begins(std::string(R"(
        li   r1, 1
        csrw VL, r1
        csrr r2, COL
)") + (waits == 0 ? "        beq  r2, r0, wait\n" : "        bne  r2, r0, wait\n") +
                           R"(
take:   vaxs R[r0], M[r0]
        jmp  take
wait:   fork psum
        join
psum:   rcv  r3, RING
        halt
)");
    for (std::uint32_t i = 0; i < 40; ++i)
      messages.push_back(machine::Message::weight(0, static_cast<std::uint16_t>(0x3f80 + i)));
    expect_same(messages);
  }
}

/// One row takes nothing: the front of its cell, or of the cell before, has been sent to one of its two branches. Two
/// messages in a cell, or as many as it holds.
TEST(DebugStates, CommandsThatACellHasSentHalfTheWay) {
  for (const int waits : {0, 1})
    for (const int count : {10, 40}) {
      SCOPED_TRACE(waits * 100 + count);
      auto messages = begins(R"(
        li   r1, 1
        csrw VL, r1
        csrr r2, ROW
        li   r3, )" + std::to_string(waits) +
                             R"(
        beq  r2, r3, wait
take:   vaxs R[r0], M[r0]
        jmp  take
wait:   fork psum
        join
psum:   rcv  r3, RING
        halt
)");
      for (int i = 0; i < count; ++i) messages.push_back(machine::Message::command(machine::Command::CR, 0, 0));
      expect_same(messages);
    }
}

/// Entries of PM: put three times and taken once; put three times and taken twice, while MP has no room for the
/// gathered group.
TEST(DebugStates, EntriesThatAreNotTaken) {
  for (const int taken : {1, 2}) {
    SCOPED_TRACE(taken);
    auto messages = begins(R"(
        li   r1, 1
        csrw VL, r1
        li   r3, 32
        li   r4, 64
        li   r5, 100
        fork psum
)" +
                           std::string(taken == 1 ? "        vdot R[r3], M[r4], M[r5], r0\n"
                                                  : "        vdot R[r3], M[r4], M[r5], r0\n"
                                                    "        vdot R[r3], M[r4], M[r5], r0\n"
                                                    "        vdot R[r3], M[r4], M[r5], r0\n") +
                           R"(
        join
        halt
psum:   li   r1, 1
        csrw VL, r1
        vb   src=M[r4], dst=M[r5]
        vb   src=M[r4], dst=M[r5]
        vb   src=M[r4], dst=M[r5]
        rcv  r2, RING
        halt
)");
    for (int i = 0; i < (taken == 1 ? 1 : 3); ++i)
      messages.push_back(machine::Message::command(machine::Command::CR, 0, 0));
    expect_same(messages);
  }
}

/// Words for a neighbour that takes none: as many as there is room for, one fewer, one more. Each tile of rows 1 to 3
/// has its own number.
TEST(DebugStates, AnOutQueueThatIsFullOrNearly) {
  for (const int least : {22, 28}) {
    SCOPED_TRACE(least);
    expect_same(begins(R"(
        fork psum
        join
        halt
psum:   csrr r1, ROW
        beq  r1, r0, wait
        add  r2, r1, r1
        csrr r3, COL
        add  r2, r2, r3
        addi r2, r2, )" +
                       std::to_string(least - 2) +
                       R"(
send:   snd  NORTH, r2
        dbnz r2, send
wait:   rcv  r4, RING
        halt
)"));
  }
}

TEST(DebugStates, GivingUpEndsWhatPsumsSequencerWaitsFor) {
  Board board(begins(R"(
        fork psum
        join
        halt
psum:   li   r1, 1
        csrw VL, r1
        vs.mov in=RING, dst=R[r0]
        halt
)"));
  board.chain.all({});
  board.tiles.run("li r2, 0x3fc0", false);  // main waits in its join, so this has no effect
  board.chain.all({.give_up = true});
  for (const char* line : {"li r1, 0x100", "li r2, 0x3fc0", "li r3, 0x3f80", "li r4, 1", "csrw VL, r4", "csrw REP, r4"})
    board.tiles.run(line);
  board.tiles.run("vf.fma M[r1], S[r2], S[r3], Z");
  const std::vector<std::uint16_t> all(static_cast<std::size_t>(kShape.rows * kShape.cols), 0x3fc0);
  board.tiles.run("ld r5, r0, 0x102", true);
  EXPECT_EQ(board.tiles.run("add r0, r0, r5", true), all) << "psum's ld needs psum's sequencer";
}

}  // namespace
}  // namespace weft::test::debug_states_test
