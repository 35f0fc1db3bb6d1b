/// A board that stands still, read through its debug chain: report and state are those of the simulated wafer.
#include <gtest/gtest.h>

#include "host/board/board_wafer.hpp"
#include "host/board/standing.hpp"
#include "host/board/tile_reader.hpp"
#include "sw/hang/report.hpp"
#include "tests/board/direct_line.hpp"
#include "tests/hang/planted.hpp"
#include "tests/lockstep/tiny.hpp"
#include "tests/random.hpp"

namespace weft::board {
namespace {

using test::Planted;

constexpr WaferShape kShape{.rows = WEFT_BOARD_ROWS, .cols = WEFT_BOARD_COLS, .sram_kib = WEFT_BOARD_SRAM_KIB};

std::shared_ptr<EmulatedBoard> new_board() { return std::make_shared<EmulatedBoard>(EmulatedBoard::Line::Packets); }

std::shared_ptr<const Standstill> standstill(Wafer& wafer, const std::vector<Message>& messages) {
  try {
    wafer.feed(messages);
    wafer.settle();
  } catch (const WaferStuck& stuck) {
    return stuck.standstill;
  }
  return nullptr;
}

/// Of planted hangs that this mesh can have.
std::vector<Planted> plants() {
  std::vector<Planted> list{test::wrong_home_row(kShape)};
  for (const Planted& p : test::planted_hangs()) {
    const bool here =
        p.name != "WrongHomeRow" && p.name != "LostCredit" && p.name != "Endless" && p.name != "GatherShort";
    if (here) list.push_back(moved(p, kShape));
  }
  return list;
}

/// Without the line that says how the machine is called, and when.
std::string told(const Standstill& s, const Program& program) {
  std::string text = hang::report(s, &program);
  const std::size_t at = text.find("the wafer stands still (");
  return text.erase(at, text.find('\n', at) - at);
}

/// Nobody counts beats on a board, and of the out queue only the front is to be read.
Standstill comparable(Standstill s, bool memories) {
  s.machine = s.why = "";
  s.cycle = 0;
  for (TileStandstill& t : s.tiles) {
    t.state.beats = t.state.fma_lanes = 0;
    for (std::size_t i = 1; i < t.out.size(); ++i) t.out[i] = kColorUnknown;
    if (!memories) t.state.memory.clear(), t.state.accumulators.clear();
  }
  return s;
}

void expect_same(const Standstill& rtl, const Standstill& board, bool memories) {
  const Standstill a = comparable(rtl, memories), b = comparable(board, memories);
  for (std::size_t t = 0; t < a.tiles.size(); ++t) {
    EXPECT_EQ(difference(a.tiles[t].state, b.tiles[t].state), "") << "tile " << t << ": rtl, board";
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

class PlantedOnABoard : public testing::TestWithParam<Planted> {};

TEST_P(PlantedOnABoard, IsToldAsByTheSimulatedWafer) {
  const Planted& p = GetParam();
  const auto rtl = standstill(*make_rtl_wafer(kShape), p.messages);
  ASSERT_TRUE(rtl) << "it does not hang";
  const auto board = new_board();
  const auto wafer = make_board_wafer(std::make_unique<DirectLine>(board), kShape, {}, {}, false);
  const auto here = standstill(*wafer, p.messages);
  ASSERT_TRUE(here) << "it does not hang on a board";
  EXPECT_EQ(told(*rtl, p.program), told(*here, p.program));
  expect_same(*rtl, *here, false);
  std::cout << board->cycles() << " cycles, the wafer's clock ran in " << board->wafer_cycles() << "\n";
}

INSTANTIATE_TEST_SUITE_P(All, PlantedOnABoard, testing::ValuesIn(plants()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace weft::board
