/// A hung board, read through its debug chain: report and state equal the simulated wafer's.
#include <gtest/gtest.h>

#include "host/board/debug/hang_snapshot.hpp"
#include "host/board/debug/tile_reader.hpp"
#include "host/board/wafer/board_wafer.hpp"
#include "host/board/wafer/unpacker.hpp"
#include "host/inspect/hang/core_file.hpp"
#include "host/inspect/hang/watched_wafer.hpp"
#include "sw/asm/assembler.hpp"
#include "sw/compiler/program/load.hpp"
#include "sw/deadlock/report.hpp"
#include "tests/board/board_colors.hpp"
#include "tests/board/direct_line.hpp"
#include "tests/board/single_records.hpp"
#include "tests/cosim/tiny.hpp"
#include "tests/deadlock/injected_bug.hpp"
#include "tests/random.hpp"
#include "tests/temporary_folder.hpp"

namespace weft::board {
namespace {

using deadlock::InjectedBug;

constexpr machine::WaferShape kShape{.rows = WEFT_BOARD_ROWS, .cols = WEFT_BOARD_COLS, .sram_kib = WEFT_BOARD_SRAM_KIB};

std::shared_ptr<emulator::EmulatedBoard> new_board() {
  return std::make_shared<emulator::EmulatedBoard>(emulator::EmulatedBoard::Line::Packets);
}

std::shared_ptr<const machine::HangSnapshot> hang_snapshot(Wafer& wafer,
                                                           const std::vector<machine::Message>& messages) {
  try {
    wafer.feed(messages);
    wafer.settle();
  } catch (const WaferHang& hang) {
    return hang.hang_snapshot;
  }
  return nullptr;
}

/// The injected hangs that are possible on this mesh.
std::vector<InjectedBug> bugs() {
  std::vector<InjectedBug> list{deadlock::wrong_home_row(kShape)};
  for (const InjectedBug& p : deadlock::injected_hangs()) {
    const bool here =
        p.name != "WrongHomeRow" && p.name != "LostCredit" && p.name != "Endless" && p.name != "GatherShort";
    if (here) list.push_back(deadlock::moved(p, kShape));
  }
  return list;
}

/// The hang report without the line that names the machine and the cycle.
std::string report_of(const machine::HangSnapshot& s, const assembler::Program& program) {
  std::string text = deadlock::report(s, &program);
  const std::size_t at = text.find("the wafer hangs (");
  return text.erase(at, text.find('\n', at) - at);
}

/// Clears fields that a board cannot report: it counts no beats, and only the front of the out queue is readable.
machine::HangSnapshot comparable(machine::HangSnapshot s, bool memories) {
  s.machine = s.why = "";
  s.cycle = 0;
  for (machine::TileHang& t : s.tiles) {
    t.state.beats = t.state.fma_lanes = 0;
    for (std::size_t i = 1; i < t.out.size(); ++i) t.out[i] = machine::kColorUnknown;
    if (!memories) t.state.memory.clear(), t.state.accumulators.clear();
  }
  return s;
}

void expect_same(const machine::HangSnapshot& rtl, const machine::HangSnapshot& board, bool memories) {
  const machine::HangSnapshot a = comparable(of_board_colors(rtl), memories),
                              b = comparable(of_board_colors(board), memories);
  for (std::size_t t = 0; t < a.tiles.size(); ++t) {
    EXPECT_EQ(machine::difference(a.tiles[t].state, b.tiles[t].state), "") << "tile " << t << ": rtl, board";
    EXPECT_EQ(a.tiles[t].main, b.tiles[t].main) << "tile " << t;
    EXPECT_EQ(a.tiles[t].psum, b.tiles[t].psum) << "tile " << t;
    EXPECT_EQ(a.tiles[t].ramp, b.tiles[t].ramp) << "tile " << t;
    EXPECT_EQ(a.tiles[t].w, b.tiles[t].w) << "tile " << t;
    EXPECT_EQ(a.tiles[t].out, b.tiles[t].out) << "tile " << t;
    EXPECT_EQ(a.tiles[t].out_credits, b.tiles[t].out_credits) << "tile " << t;
    EXPECT_EQ(a.tiles[t].buffers, b.tiles[t].buffers) << "tile " << t;
    EXPECT_EQ(a.tiles[t].credits, b.tiles[t].credits) << "tile " << t;
    EXPECT_EQ(a.tiles[t].awake, b.tiles[t].awake) << "tile " << t;
  }
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.valves, b.valves);
}

class InjectedBugOnABoard : public testing::TestWithParam<InjectedBug> {};

TEST_P(InjectedBugOnABoard, IsReportedAsByTheSimulatedWafer) {
  const InjectedBug& p = GetParam();
  const auto rtl = hang_snapshot(*make_rtl_wafer(kShape), p.messages);
  ASSERT_TRUE(rtl) << "it does not hang";
  const auto board = new_board();
  const auto wafer = make_board_wafer(std::make_unique<DirectLine>(board), kShape, {}, {}, false);
  const auto here = hang_snapshot(*wafer, p.messages);
  ASSERT_TRUE(here) << "it does not hang on a board";
  EXPECT_EQ(report_of(*rtl, p.program), report_of(*here, p.program));
  expect_same(*rtl, *here, false);
  std::cout << board->cycles() << " cycles, the wafer's clock ran in " << board->wafer_cycles() << "\n";
}

INSTANTIATE_TEST_SUITE_P(All, InjectedBugOnABoard, testing::ValuesIn(bugs()),
                         [](const auto& info) { return info.param.name; });

/// An emulated board and a session with it, without a Wafer in between.
struct Rig {
  explicit Rig(emulator::Damage down = {0, {}}, emulator::Damage up = {0, {}})
      : board(new_board()), session(std::make_unique<DirectLine>(board, std::move(down), std::move(up))) {
    session.open();
  }
  void feed(std::span<const machine::Message> messages) {
    record.append(messages);
    session.link().enqueue(single_records(messages));
  }
  void go_on(int cycles) { session.go_on(true, session.now() + std::chrono::nanoseconds(25) * cycles); }
  /// All words received so far, by row.
  std::vector<std::vector<std::uint32_t>>& words() {
    unpacker.unpack(session.link().received(), words_);
    session.link().received().clear();
    return words_;
  }

  std::shared_ptr<emulator::EmulatedBoard> board;
  Session session;
  DebugChain chain{session, kShape.rows, kShape.cols};
  TileReader tiles{chain, kShape};
  StreamRecord record{kShape};
  Unpacker unpacker{kShape.rows};

 private:
  std::vector<std::vector<std::uint32_t>> words_{static_cast<std::size_t>(kShape.rows)};
};

/// `value` for each tile.
std::vector<std::uint16_t> all(std::uint16_t value) {
  return std::vector<std::uint16_t>(static_cast<std::size_t>(kShape.rows * kShape.cols), value);
}

TEST(BoardDebug, InstructionsInAHaltedThreadReadAndWriteRegistersAndMemory) {
  Rig rig;
  rig.chain.all({});
  for (const char* line : {"li r1, 0x100", "li r2, 0x3fc0", "li r3, 0x3f80", "li r4, 1", "csrw VL, r4", "csrw REP, r4"})
    rig.tiles.run(line);
  rig.tiles.run("vf.fma M[r1], S[r2], S[r3], Z");
  EXPECT_EQ(rig.tiles.run("ld r5, r1, 0"), all(0x3fc0));
  EXPECT_EQ(rig.tiles.run("ld r0, r0, 0x103"), all(0x3fc0)) << "a vector is four elements";
  EXPECT_EQ(rig.tiles.run("ld r0, r0, 0x104"), all(0));
  EXPECT_EQ(rig.tiles.run("add r0, r0, r5"), all(0x3fc0)) << "ld wrote its register";
  EXPECT_EQ(rig.tiles.run("add r0, r0, r5", true), all(0)) << "psum has its own";
  EXPECT_EQ(rig.tiles.run("ld r5, r0, 0x102", true), all(0x3fc0));
  EXPECT_EQ(rig.tiles.run("add r0, r0, r5", true), all(0x3fc0));
  EXPECT_EQ(rig.tiles.run("csrr r0, REP"), all(1));
  const auto columns = rig.tiles.run("csrr r0, COL");
  EXPECT_EQ(columns[0], 0);
  EXPECT_EQ(columns[1], 1) << "each tile answers for itself";
}

TEST(BoardDebug, ATileThatIsNotHaltedRunsNothing) {
  Rig rig;
  rig.chain.all({.halt = false, .run = true, .word = 0});
  EXPECT_EQ(rig.session.ask().flags_text(), "") << "an illegal instruction sets BAD_INSTR";
  rig.chain.all({});
  rig.chain.all({.run = true, .word = 0});
  EXPECT_NE(rig.session.ask().flags_text(), "");
}

TEST(BoardDebug, AnInstructionRunsOnceHoweverBadTheLineIs) {
  const std::uint64_t seed = test::test_seed();
  const emulator::DamageRates rates{.flip = 1e-3, .cut = 1e-3, .doubled = 0.2, .delay = 0.2};
  Rig rig(emulator::Damage(seed, rates), emulator::Damage(seed + 1, rates));
  rig.chain.all({});
  const int times = 40;
  rig.tiles.run("li r1, 0");
  for (int i = 0; i < times; ++i) rig.tiles.run("addi r1, r1, 1");
  EXPECT_EQ(rig.tiles.run("add r0, r0, r1"), all(times));
  EXPECT_GT(rig.session.ask().damaged, 0U) << "or the line was not bad";
}

TEST(BoardDebug, AHaltedStepContinuesWithTheSameBits) {
  compiler::ModelShape model = cosim::tiny_model();
  model.seq = 4, model.micro_batch = 1;
  const cosim::Tiny tiny(kShape, model);
  const auto expected = make_model_wafer(kShape);
  expected->feed(tiny.plan.load);
  expected->settle();
  expected->feed(tiny.messages);
  expected->await(tiny.totals);

  const std::uint64_t seed = test::test_seed();
  std::mt19937_64 rng(seed);
  Rig rig;
  rig.feed(tiny.plan.load);
  rig.feed(tiny.messages);
  const auto done = [&] {
    const auto& words = rig.words();
    for (std::size_t r = 0; r < words.size(); ++r)
      if (words[r].size() < tiny.totals[r]) return false;
    return true;
  };
  const auto word = [](const std::string& line) { return assembler::assemble(line + "\n", "test").words.at(0); };
  int halts = 0, between = 0;
  while (!done()) {
    rig.go_on(static_cast<int>(rng() % 2500));
    // Halts the board and does everything that leaves its state intact: words are read, and threads between two
    // instructions run one and jump back to their pc.
    rig.chain.all({});
    std::vector<NodeCommands> looks;
    for (int w = 0; w < tile_words(kShape.colors, isa::kDepth); ++w)
      looks.emplace_back(rig.chain.nodes(), NodeCommand{.index = w});
    const auto words = rig.chain.exchange(looks);
    NodeCommands run(rig.chain.nodes()), back(rig.chain.nodes());
    for (int row = 0; row < kShape.rows; ++row)
      for (int col = 0; col < kShape.cols; ++col) {
        const std::size_t node = rig.chain.tile(row, col);
        std::vector<std::uint16_t> own;
        for (const auto& one : words) own.push_back(one[node]);
        const TileStatus t = tile_status(own, kShape.colors, isa::kDepth);
        const bool psum = t.psum_state == kThreadFetches;
        if (!psum && t.main_state != kThreadFetches) continue;
        ++between;
        const std::uint16_t pc = psum ? t.tile.state.psum.pc : t.tile.state.main.pc;
        run[node] = {.run = true, .psum = psum, .word = word("add r0, r1, r2")};
        back[node] = {.run = true, .psum = psum, .word = word("jmp 0") | pc};
      }
    rig.chain.exchange({run, back});
    rig.chain.all({.halt = false});
    ++halts;
  }
  for (int row = 0; row < kShape.rows; ++row)
    EXPECT_EQ(rig.words()[static_cast<std::size_t>(row)], expected->outlet(row)) << "row " << row;
  EXPECT_EQ(rig.session.ask().flags_text(), "");
  EXPECT_GT(halts, 10);
  EXPECT_GT(between, 10) << "threads that stood between two instructions";
}

TEST(BoardDebug, AnEndlessThreadIsReportedAsByTheSimulatedWafer) {
  for (const InjectedBug& bug : deadlock::injected_hangs()) {
    if (bug.name != "Endless") continue;
    const InjectedBug p = deadlock::moved(bug, kShape);
    const auto rtl = hang_snapshot(*make_rtl_wafer(kShape), p.messages);
    ASSERT_TRUE(rtl);
    Rig rig;
    rig.feed(p.messages);
    for (int i = 0; i < 20; ++i) rig.go_on(10000);
    const auto here = read_hang_snapshot(rig.session, kShape, rig.record, false);
    EXPECT_EQ(report_of(*rtl, p.program), report_of(*here, p.program));
    EXPECT_EQ(deadlock::diagnose(*here).fault, deadlock::Fault::Endless);
    return;
  }
  FAIL();
}

/// Reads part of the memory and of the accumulators; all of them would take minutes here.
TEST(BoardDebug, MemoriesAndAccumulatorsAreReadBitForBit) {
  const assembler::Program program = assembler::assemble(R"(
        li r1, 4
        csrw VL, r1
        li r1, 1
        csrw REP, r1
        li r2, 0x3fc3
        li r3, 0x4049
        li r4, 0x3b4b
        li r5, 0x80
        vf.fma R[r0], S[r2], S[r3], Z
        vf.fma R[r0], S[r4], R[r0], R[r0]
        vf.fma M[r5], S[r2], S[r4], Z
        vaxs R[r0], M[r0]
        halt
)",
                                                         "hang.s");
  std::vector<machine::Message> messages = compiler::program_messages(program);
  messages.push_back(machine::Message::command(machine::Command::Call, 0, 0));
  const auto rtl = hang_snapshot(*make_rtl_wafer(kShape), messages);
  ASSERT_TRUE(rtl);
  Rig rig;
  rig.feed(messages);
  for (int i = 0; i < 20; ++i) rig.go_on(10000);
  const auto here = read_hang_snapshot(rig.session, kShape, rig.record, false);
  constexpr int kElements = 0x90, kEntries = 6;
  rig.tiles.memories(*here, kElements, kEntries);
  for (std::size_t t = 0; t < here->tiles.size(); ++t) {
    machine::TileState state = rtl->tiles[t].state;
    EXPECT_NE(state.accumulators[0] & 0xff, 0U) << "or 24 bits would do";
    state.memory.resize(kElements);
    state.accumulators.resize(static_cast<std::size_t>(kEntries * kShape.lanes));
    EXPECT_EQ(state.memory, here->tiles[t].state.memory);
    EXPECT_EQ(state.accumulators, here->tiles[t].state.accumulators);
  }
}

/// Files that a run leaves.
TEST(BoardDebug, ABoardThatHangsLeavesAReportAndACoreDump) {
  const InjectedBug p = deadlock::wrong_home_row(kShape);
  const test::TemporaryFolder folder;
  const auto wafer =
      inspect::watched(make_board_wafer(std::make_unique<DirectLine>(new_board()), kShape, {}, {}, false),
                       folder.path(), [&] { return deadlock::Core{.hang_snapshot = {}, .program = p.program}; });
  std::string text;
  try {
    wafer->at({.wafer = 0, .step = 3, .micro_batch = 0, .phase = "h.0"});
    wafer->feed(p.messages);
    wafer->await(std::vector<std::uint64_t>(static_cast<std::size_t>(kShape.rows), 1000000));
  } catch (const WaferHang& hang) {
    text = hang.what();
  }
  EXPECT_TRUE(text.starts_with("the wafer hangs: root cause: tile (2,0) psum at gp_")) << text;
  EXPECT_NE(text.find("sw/kernels/gemm.s:"), std::string::npos) << text;
  EXPECT_NE(text.find(p.says), std::string::npos) << text;
  const deadlock::Core core = inspect::read_core(folder / "wafer_0_step_4.weftcore");
  EXPECT_EQ(core.hang_snapshot.machine, "board");
  EXPECT_EQ(core.hang_snapshot.rows[0].awaited, 1000000U);
  EXPECT_EQ(test::file_text(folder / "wafer_0_step_4.hang.txt"), deadlock::report(core.hang_snapshot, &core.program));
}

}  // namespace
}  // namespace weft::board
