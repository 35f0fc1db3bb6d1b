/// A whole board with its flat wafer runs compiled programs: its outlets deliver the same words as the functional
/// model.
#include <gtest/gtest.h>

#include "sw/asm/assembler.hpp"
#include "sw/compiler/program/load.hpp"
#include "tests/cosim/tiny.hpp"
#include "tests/fpga/board_host.hpp"
#include "tests/random.hpp"
#include "verif/wafer.hpp"

namespace weft::test {
namespace {

constexpr machine::WaferShape kShape{
    .rows = WEFT_BOARD_ROWS, .cols = WEFT_BOARD_COLS, .sram_kib = WEFT_BOARD_SRAM_KIB, .colors = isa::kColors};

using Line = emulator::EmulatedBoard::Line;

/// The smallest model that has every kernel of a GPT.
compiler::ModelShape smallest() {
  compiler::ModelShape m = cosim::tiny_model();
  m.seq = 4, m.micro_batch = 1;
  return m;
}

struct Expected {
  explicit Expected(const compiler::ModelShape& model) : tiny(kShape, model) {
    const auto wafer = make_model_wafer(kShape);
    wafer->feed(tiny.plan.load);
    wafer->settle();
    wafer->feed(tiny.messages);
    wafer->await(tiny.totals);
    wafer->settle();
    for (int row = 0; row < kShape.rows; ++row) words.push_back(wafer->outlet(row));
  }
  void run(BoardHost& host) const {
    host.feed(tiny.plan.load);
    host.feed(tiny.messages);
    host.await(tiny.totals);
    for (int row = 0; row < kShape.rows; ++row)
      EXPECT_EQ(host.words[row], words[static_cast<std::size_t>(row)]) << "row " << row;
    const Status s = host.ask();
    EXPECT_EQ(s.stands & ~16, 0) << "all sleeps";
    EXPECT_EQ(s.messages, tiny.plan.load.size() + tiny.messages.size());
    EXPECT_EQ(s.flags, Bytes(static_cast<std::size_t>(kShape.rows * (kShape.cols + 1)))) << "no tile complains";
    std::printf("%llu cycles, the wafer's clock ran in %llu\n", static_cast<unsigned long long>(host.board.cycles()),
                static_cast<unsigned long long>(host.board.wafer_cycles()));
  }
  cosim::Tiny tiny;
  std::vector<std::vector<std::uint32_t>> words;
};

emulator::Damage none() { return emulator::Damage(0, {}); }

/// Routes, and a program's load messages.
std::vector<machine::Message> loads(const std::string& source) {
  std::vector<machine::Message> messages = compiler::route_messages(kShape);
  const auto program = compiler::program_messages(assembler::assemble(source, "here.s"));
  messages.insert(messages.end(), program.begin(), program.end());
  return messages;
}

TEST(Board, SaysWhatItIs) {
  BoardHost host(Line::Serial, none(), none());
  host.hello(77);
  const Bytes& p = host.about->payload;
  ASSERT_EQ(p.size(), 48u);
  EXPECT_EQ(std::string(p.begin(), p.begin() + 4), "WEFT");
  EXPECT_EQ(p[4], 2) << "version";
  EXPECT_EQ(p[5], kShape.rows);
  EXPECT_EQ(p[6], kShape.cols);
  EXPECT_EQ(p[7], kShape.lanes);
  EXPECT_EQ(p[8], kShape.colors);
  EXPECT_EQ(p[9], isa::kDepth) << "depth";
  EXPECT_EQ(p[10], kShape.sram_kib);
  EXPECT_EQ(p[11], 0) << "tally";
  EXPECT_EQ(p[12], 1) << "valves";
  EXPECT_EQ(p[13], WEFT_BOARD_DEBUG) << "debug chain";
  EXPECT_EQ(get(p, 14, 2), 0u);
  EXPECT_EQ(get(p, 16, 4), 40000u) << "kHz";
  EXPECT_EQ(get(p, 20, 2), 2048u) << "index entries";
  EXPECT_EQ(get(p, 22, 2), 4092u) << "room";
  EXPECT_NE(get(p, 24, 8), 0u) << "build";
  EXPECT_EQ(std::string(p.begin() + 32, p.end()), std::string("emulated") + std::string(8, '\0'));
}

TEST(Board, RunsAMicroBatchOverPackets) {
  const Expected expected(smallest());
  BoardHost host(Line::Packets, none(), none());
  host.hello(77);
  expected.run(host);
  host.hello(78, 77);  // and once more, after a reset
  expected.run(host);
}

TEST(Board, RunsAMicroBatchOverABadLine) {
  const std::uint64_t seed = test_seed();
  const Expected expected(smallest());
  const emulator::DamageRates rates{.flip = 1e-4, .cut = 1e-4, .doubled = 0.05, .delay = 0.05};
  BoardHost host(Line::Packets, emulator::Damage(seed, rates), emulator::Damage(seed + 1, rates));
  host.hello(77);
  expected.run(host);
  EXPECT_GT(host.status->bad, 0u) << "or the line was not bad";
}

/// A message at the valve wakes a wafer only if it is taken. Here all tiles wait for words that never arrive, and
/// weights fill the queues behind them.
TEST(Board, AMessageThatWaitsAtTheValveClocksNoSleepingWafer) {
  BoardHost host(Line::Packets, none(), none());
  host.hello(1);
  std::vector<machine::Message> messages = loads("fork psum\njoin\nhalt\npsum: rcv r2, RING\nhalt\n");
  messages.push_back(machine::Message::command(machine::Command::Call, 0, 0));
  messages.insert(messages.end(), 200, machine::Message::weight(1, 2));
  host.feed(messages);
  host.run(3000, [] { return false; });
  const Status s = host.ask();
  ASSERT_EQ(s.stands & 3, 2) << "one waits, and all sleeps";
  const std::uint64_t before = host.board.wafer_cycles();
  host.run(5000, [] { return false; });
  EXPECT_EQ(host.board.wafer_cycles(), before);
}

/// STATUS sees a cycle later which tiles are awake. From the frame that brings a message to the end of the message's
/// effects there must be no moment at which the whole wafer seems to sleep.
TEST(Board, AMessageThatTheValveHasTakenIsSeen) {
  BoardHost host(Line::Packets, none(), none());
  host.hello(1);
  host.feed(loads("li r1, 300\nloop: dbnz r1, loop\nhalt\n"));
  host.ask();
  const machine::Message call = machine::Message::command(machine::Command::Call, 0, 0);
  for (int cycles = 45; cycles < 95; ++cycles) {  // the POLL arrives some 70 cycles after the records
    Bytes records;                                // a RUN of no times takes 15 cycles, a record of no messages four
    const int runs = (4 - cycles % 4) % 4;
    for (int i = 0; i < runs; ++i) records.insert(records.end(), {3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
    for (int i = 0; i < (cycles - 15 * runs) / 4; ++i) records.insert(records.end(), {1, 0, 0});
    records.insert(records.end(), {1, 1, 0, call.ctrl});
    put(records, call.data, 4);
    host.post(records);
    const Status s = host.ask();
    EXPECT_NE(s.stands & 7, 0) << cycles;
    host.run(2000, [] { return false; });
    EXPECT_EQ(host.ask().stands & ~16, 0) << "or it was not over";
  }
}

/// While a host receives and sends nothing for long, nothing is simulated for it until it sends again, whether the
/// wafer still computes or waits for its words to be taken.
TEST(Board, StallsForASilentHost) {
  const Expected expected(smallest());
  BoardHost host(Line::Packets, none(), none());
  host.hello(77);
  host.feed(expected.tiny.plan.load);
  host.feed(expected.tiny.messages);
  for (const int cycles : {500, 400000}) {
    host.deaf = true;
    host.run(cycles, [] { return false; });
    EXPECT_EQ(host.board.idle(), 0u) << "it works, or sends";
    host.board.missed(2048);
    host.run(10000, [] { return false; });  // eight frames may be in flight
    EXPECT_GT(host.board.idle(), 1000u);
    host.deaf = false;
    host.ask();
  }
  host.await(expected.tiny.totals);
  for (int row = 0; row < kShape.rows; ++row)
    EXPECT_EQ(host.words[row], expected.words[static_cast<std::size_t>(row)]) << "row " << row;
}

/// Bit by bit on a wire: commands to every tile and a route that does not exist, for which each tile sets its flag.
TEST(Board, TakesCommandsOverAWire) {
  const std::uint64_t seed = test_seed();
  const emulator::DamageRates rates{.flip = 1e-3, .cut = 1e-3, .doubled = 0.1, .delay = 0.1};
  BoardHost host(Line::Serial, emulator::Damage(seed, rates), emulator::Damage(seed + 1, rates));
  host.hello(5);
  std::vector<machine::Message> messages(500, machine::Message::command(machine::Command::Setreg, 1, 7));
  messages.push_back(machine::Message::select({1, 1}));
  messages.push_back({0xff000000, true});
  host.feed(messages);
  const Status s = host.ask();
  EXPECT_EQ(s.messages, messages.size());
  Bytes flags(static_cast<std::size_t>(kShape.rows * (kShape.cols + 1)), 0);
  for (int row = 0; row < kShape.rows; ++row)
    for (int col = 0; col < kShape.cols; ++col)
      flags[static_cast<std::size_t>(row * (kShape.cols + 1) + col + 1)] = 1 << 3;  // BAD_COMMAND, selected or not
  EXPECT_EQ(s.flags, flags);
}

}  // namespace
}  // namespace weft::test
