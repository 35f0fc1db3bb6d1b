/// Programs for general tiles (docs/reference/general_tile.md).
#include "sw/base/bf16.hpp"
#include "tests/programs/example.hpp"

namespace weft::programs {
namespace {

/// y[i] = x[i-1] - 2 x[i] + x[i+1], for i from 1 to N-2.
constexpr const char* kSecondDifference = R"(
.array  x, bf16, N
.array  y, bf16, N
.general
.kernel main count=r1 entry=r2
        csrw  VL, count
        li    r3, 1
        csrw  REP, r3
        li    r3, bf16(1)
        li    r4, bf16(-2)
        li    r5, x
        addi  r6, r5, 1
        addi  r7, r5, 2
        li    r8, y + 1
        vf.fma R[entry], M[r5], S[r3], Z
        vf.fma R[entry], M[r7], S[r3], R[entry]
        vf.fma M[r8], M[r6], S[r4], R[entry]
        halt
)";

machine::WaferShape general_mesh(int rows, int cols) {
  machine::WaferShape shape = mesh(rows, cols);
  shape.general = true;
  return shape;
}

TEST(GeneralTiles, ReadAndWriteVectorsAtAnyAddress) {
  constexpr int kCount = 62, kTiles = 6;  // elements of an array: 15 words of 4, from the second element on
  Session session(general_mesh(2, 3), "model", 1);
  session.load(layout_of(kSecondDifference, {}, {{"N", kCount}}));
  std::vector<float> x(kTiles * kCount);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * i % 97);
  session.set("x", x);
  session.set("y", std::vector<float>(x.size(), -1));
  session.run("main", {{"count", 15}, {"entry", 7}}, true, nullptr);
  const std::vector<float> y = session.floats("y");
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool inner = i % kCount > 0 && i % kCount < kCount - 1;
    const float expected = inner ? x[i - 1] - 2 * x[i] + x[i + 1] : -1;
    ASSERT_EQ(y[i], as_float(widen(nearest_bf16(expected)))) << i;
  }
}

TEST(GeneralTiles, AreDemandedByAProgram) {
  EXPECT_EQ(refusal_of([] { build(layout_of(kSecondDifference, {}, {{"N", 64}}), mesh(1, 1)); }),
            "mine.s:4: the program needs general tiles, which this wafer does not have. HINT: use a wafer with "
            "general=True (docs/reference/general_tile.md).");
  EXPECT_EQ(refusal_of([] { build(layout_of(".general 1\n halt"), general_mesh(1, 1)); }),
            "mine.s:1: unexpected text at '1'. HINT: write '.general' alone.");
  EXPECT_EQ(refusal_of([] {
              machine::WaferShape shape = general_mesh(1, 1);
              shape.lanes = 16;
              Session session(shape, "rtl", 1);
            }),
            "wafer: RTL of general tiles of 16 lanes is not in this program. HINT: make build GENERAL=16.");
}

}  // namespace
}  // namespace weft::programs
