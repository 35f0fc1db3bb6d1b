/// Examples on the emulated board, with the bits of the functional model.
#include <fstream>
#include <sstream>

#include "host/board/emulator.hpp"
#include "sw/base/bf16.hpp"
#include "tests/programs/example.hpp"

namespace weft::programs {
namespace {

constexpr int kRows = WEFT_PROGRAM_BOARD_ROWS, kCols = WEFT_PROGRAM_BOARD_COLS, kPoints = 32;

Layout stencil() {
  std::ifstream in(std::string(WEFT_EXAMPLES) + "/stencil.s");
  std::ostringstream text;
  text << in.rdbuf();
  return {.programs = {{"stencil.s", text.str(), {{"N", kPoints}}, {}}},
          .streams = {shift("east", 0, 1), shift("west", 0, -1), shift("south", 1, 0), shift("north", -1, 0)}};
}

TEST(EmulatedBoard, RunsAStencilWithTheBitsOfTheModel) {
  board::Emulator emulator(WEFT_PROGRAM_BOARD, {});
  const machine::WaferShape shape{.rows = kRows, .cols = kCols, .sram_kib = 0};
  Session board(shape, emulator.device(), 1), model(shape, "model", 1);
  test::Rng rng(test::test_seed());
  std::vector<float> u(static_cast<std::size_t>(kRows * kCols * kPoints));
  for (float& value : u) value = static_cast<float>(rng.below(1000)) * 0.01F;
  for (Session* const wafer : {&board, &model}) {
    wafer->load(stencil());
    wafer->set("u", u);
    const auto counts =
        wafer->run("main", {{"steps", 3}, {"center", nearest_bf16(0.5)}, {"side", nearest_bf16(0.125)}}, true);
    ASSERT_TRUE(counts);
    EXPECT_EQ(counts->cycles > 0, wafer == &board);
  }
  EXPECT_EQ(board.floats("u"), model.floats("u"));
  EXPECT_EQ(board.floats("sum"), model.floats("sum"));
}

TEST(EmulatedBoard, NamesThreadAndLineOfAHang) {
  board::Emulator emulator(WEFT_PROGRAM_BOARD, {});
  Session board({.rows = kRows, .cols = kCols, .sram_kib = 0}, emulator.device(), 1);
  const Layout layout = layout_of(
      ".kernel main\n fork p\n halt\np: csrr r1, COL\n beq r1, r0, q\n rcv r2, east\n halt\nq: halt\n snd east, r1\n",
      {shift("east", 0, 1)});
  const std::string text = refusal_of([&] { board.load(layout); });
  EXPECT_TRUE(text.starts_with("kernel main: has a wrong stream: tile (0,1) psum at p+2, mine.s:6 ")) << text;
  board.load(layout, false);
  const std::string hang = refusal_of([&] { board.run("main", {}, false); });
  EXPECT_TRUE(hang.starts_with("kernel main: the wafer hangs")) << hang;
  EXPECT_NE(hang.find("tile (0,1) psum at p+2, mine.s:6 `rcv r2, "), std::string::npos) << hang;
  board.load(layout_of(".array k, int16, 3\n.kernel main\n halt\n"));
  std::vector<std::int16_t> k(static_cast<std::size_t>(kRows * kCols * 3));
  for (std::size_t i = 0; i < k.size(); ++i) k[i] = static_cast<std::int16_t>(7 * i);
  board.set("k", k);
  ASSERT_TRUE(board.run("main", {}, true));
  EXPECT_EQ(board.integers("k"), k);
}

}  // namespace
}  // namespace weft::programs
