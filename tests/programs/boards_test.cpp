/// Boards as backends: over a board's half of the link in this process, with the functional model as its wafer.
#include <fmt/format.h>

#include "host/programs/board.hpp"
#include "host/programs/routes.hpp"
#include "sw/base/bf16.hpp"
#include "tests/board/simulated_line.hpp"
#include "tests/programs/example.hpp"

namespace weft::programs {
namespace {

constexpr const char* kSend = R"(
.array  u, bf16, 8
.array  k, int16, 5
.array  s, fp32, 8
.kernel main factor=r1
        li    r2, 2
        csrw  VL, r2
        li    r3, 1
        csrw  REP, r3
        li    r4, u
        li    r5, s
        vf.fma M[r4], M[r4], S[factor], Z
        vf.fma R[r5], M[r4], S[factor], R[r5]
        fork  send
        halt
.routine send
        csrr  r1, COL
        snd   report, r1
        halt
)";

machine::WaferShape board_mesh() {
  machine::WaferShape shape = mesh(2, 3);
  shape.turns = false;
  return shape;
}

/// A board in this process.
struct Rig {
  explicit Rig(const machine::WaferShape& shape = board_mesh())
      : board(std::make_shared<board::FakeBoard>(make_model_wafer(shape))) {
    board->info().all_turns = true;
  }
  std::unique_ptr<board::Line> line() { return std::make_unique<board::SimulatedLine>(board); }
  std::string refusal(const machine::WaferShape& asked) {
    return refusal_of([&] { Board(line(), nullptr, asked); });
  }
  std::shared_ptr<board::FakeBoard> board;
};

Layout sending() {
  // The color of the transfers, since the functional model in this board cannot tell when the host waits.
  const Region column = {0, 0, 2, 1};
  Layout layout = layout_of(kSend, {{"report", {.kind = Way::Kind::Gather, .step = {}, .tiles = {}}, column, kWest}});
  layout.programs[0].region = column;
  return layout;
}

TEST(ProgramBoards, HaveTheBitsOfTheModel) {
  Rig rig;
  Session board(Board(rig.line(), nullptr, mesh(2, 3))), model(mesh(2, 3), "model", 1);
  EXPECT_EQ(board.shape().sram_kib, 4);
  test::Rng rng(test::test_seed());
  std::vector<float> u(16), s(16);
  for (float& value : u) value = static_cast<float>(rng.below(1000)) * 0.37F;
  for (float& value : s) value = static_cast<float>(rng.below(1000)) * 1.0001F;
  for (Session* const wafer : {&board, &model}) {
    wafer->load(sending());
    wafer->set("u", u);
    wafer->set("s", s);
    wafer->set("k", std::vector<std::int16_t>{1, -2, 3, -4, 5, -6, 7, -8, 9, -10});
    ASSERT_TRUE(wafer->run("main", {{"factor", nearest_bf16(1.25)}}, true));
    EXPECT_EQ(wafer->words(1), std::vector<std::uint32_t>{0});
  }
  EXPECT_EQ(board.floats("u"), model.floats("u"));
  EXPECT_EQ(board.floats("s"), model.floats("s"));
  EXPECT_EQ(board.integers("k"), model.integers("k"));
  EXPECT_GT(board.counts().messages, 0U);
  EXPECT_EQ(board.counts().beats, 0U);
  EXPECT_EQ(refusal_of([&] { board.tile_beats(); }),
            "tile_beats: a board does not count the beats of its tiles. HINT: use the backend rtl or model.");
  EXPECT_EQ(refusal_of([&] {
              board.replay("main", {{"factor", 0}}, "debug");
            }),
            "debug: a board does not show the state of its tiles. HINT: use the backend rtl or model.");
}

TEST(ProgramBoards, MustFit) {
  Rig rig;
  EXPECT_EQ(rig.refusal(mesh(3, 3)),
            "backend: simulated: the board has 2 x 3 tiles, not 3 x 3. HINT: use rows=2, cols=3.");
  machine::WaferShape other = mesh(2, 3);
  other.lanes = 8;
  EXPECT_EQ(rig.refusal(other), "backend: simulated: the board has 4 lanes, not 8. HINT: use lanes=4.");
  other = mesh(2, 3);
  other.sram_kib = 5;
  EXPECT_EQ(rig.refusal(other),
            "backend: simulated: the board's tiles have 4 KiB of memory, not 5. HINT: use sram_kib=4 or less.");
  other.sram_kib = 0;
  EXPECT_EQ(rig.refusal(other), "no refusal");
  rig.board->info().all_turns = false;
  EXPECT_EQ(
      rig.refusal(mesh(2, 3)),
      "backend: simulated: the routers of fake have the routes of training alone. HINT: make fpga MESH=programs=1 "
      "builds a board for programs of one's own; or use the backend emulated.");
  EXPECT_EQ(refusal_of([] { Session(mesh(2, 3), "/dev/no-board", 1); }).substr(0, 9), "backend: ");
}

TEST(ProgramBoards, ReportHangsAndLossesAndCanBeInterrupted) {
  Rig rig;
  Session board(Board(rig.line(), nullptr, mesh(2, 3)));
  board.load(sending());
  int asked = 0;
  rig.board->awake = true;  // as a loop without an end
  EXPECT_FALSE(board.run("main", {{"factor", 0}}, false, [&] { return ++asked == 3; }));
  EXPECT_EQ(asked, 3);
  EXPECT_EQ(refusal_of([&] { board.counts(); }), "wafer: its last run did not end. HINT: load the layout again.");
  rig.board->awake = false;
  board.load(sending());
  ASSERT_TRUE(board.run("main", {{"factor", 0}}, false, [&] { return false; }));
  rig.board->dead = true;
  const std::string lost = refusal_of([&] { board.run("main", {{"factor", 0}}, false); });
  EXPECT_TRUE(lost.starts_with("backend: the board at simulated has sent nothing for 5 s")) << lost;
  EXPECT_TRUE(lost.ends_with("HINT: check the board and its line; load the layout again to go on.")) << lost;
}

}  // namespace
}  // namespace weft::programs
