/// rtl/weft_wafer.sv as a single top with W only: no color leads back to the host, so the tiles' memories and flags are
/// compared with the functional model's.
#include <gtest/gtest.h>

#include <array>

#include "Vweft_wafer_1x2v1c1.h"
#include "sw/asm/assembler.hpp"
#include "tests/random.hpp"
#include "verif/cosim/flat_wafer.hpp"

namespace weft::cosim {
namespace {

/// Sums of products with a stream of weights, and their exponentials, in memory.
constexpr const char* kProgram = R"(
  li r1, 4
  csrw VL, r1
  li r2, 16
  csrw STA, r2
  li r3, 15
  csrw LMASK, r3
  li r4, 1
  csrw REP, r4
  li r5, 16
  vaxs R[r0], M[r0]
  vcr  R[r5], R[r0]
  li r8, 512
  vf.fma M[r8], S[r0], S[r0], R[r5]
  li r9, 640
  vf.exp M[r9], M[r8], S[r0], A
  halt
)";

void send(Wafer& wafer, machine::Command code, std::uint16_t value) {
  wafer.feed(std::array{machine::Message::command(code, 0, value)});
}

/// Loads memory and a program into all tiles, then sends a stream of weights.
void run(Wafer& wafer, std::uint64_t seed) {
  test::Rng rng(seed);
  const auto value = [&] { return static_cast<std::uint16_t>((rng.next() & 0x80ff) | 0x3f00); };  // bf16 from 0.5 to 2
  wafer.feed(std::array{machine::Message::select()});
  send(wafer, machine::Command::Maddr, 0);
  for (int i = 0; i < 512; ++i) send(wafer, machine::Command::Mdata, value());
  send(wafer, machine::Command::Iaddr, 0);
  for (const std::uint32_t word : assembler::assemble(kProgram, "one_color.s").words) {
    send(wafer, machine::Command::Ilo, static_cast<std::uint16_t>(word));
    send(wafer, machine::Command::Ihi, static_cast<std::uint16_t>(word >> 16));
  }
  send(wafer, machine::Command::Call, 0);
  for (std::uint16_t index = 0; index < 24; ++index) wafer.feed(std::array{machine::Message::weight(index, value())});
  send(wafer, machine::Command::CR, 0);
  wafer.settle();
}

TEST(FlatShapes, OneColorHasTheModelsMemoryAndFlags) {
  const machine::WaferShape shape{.rows = 1, .cols = 2, .colors = 1};
  FlatWafer<Vweft_wafer_1x2v1c1> flat(shape);
  const auto model = make_model_wafer(shape);
  const std::uint64_t seed = test::test_seed();
  run(flat, seed);
  run(*model, seed);
  for (int col = 0; col < shape.cols; ++col) {
    const auto memory = flat.sram(0, col);
    EXPECT_EQ(memory, model->sram(0, col)) << "column " << col;
    EXPECT_NE(memory[512], 0) << "the program wrote its sums";
    EXPECT_NE(memory[640], 0) << "and their exponentials";
  }
  EXPECT_EQ(flat.flags(), "");
  EXPECT_EQ(model->flags(), "");

  const auto unbuilt = static_cast<std::uint16_t>(1 << 11 | static_cast<unsigned>(machine::Port::Ramp) << 8 | 1 << 4);
  send(flat, machine::Command::Route, unbuilt);
  flat.settle();
  EXPECT_EQ(flat.flags(), "row 0 column 0: BAD_COLOR; row 0 column 1: BAD_COLOR");
  send(*model, machine::Command::Route, unbuilt);
  model->settle();
  EXPECT_EQ(model->flags(), "row 0 BAD_COLOR");  // the model keeps flags per row
}

}  // namespace
}  // namespace weft::cosim
