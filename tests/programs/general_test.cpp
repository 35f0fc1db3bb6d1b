/// Programs for general tiles (docs/reference/general_tile.md).
#include "sw/base/bf16.hpp"
#include "tests/programs/example.hpp"
#include "weft_lanes.hpp"

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

/// The backends with general tiles; the RTL may be built without.
std::vector<std::string> backends() {
  std::vector<std::string> list{"model"};
  if (rtl_has_general(4)) list.emplace_back("rtl");
  return list;
}

void second_differences(const std::string& backend) {
  constexpr int kCount = 62, kTiles = 6;  // elements of an array: 15 words of 4, from the second element on
  Session session(general_mesh(2, 3), backend, 1);
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
    ASSERT_EQ(y[i], as_float(widen(nearest_bf16(expected)))) << backend << " " << i;
  }
}

TEST(GeneralTiles, ReadAndWriteVectorsAtAnyAddress) {
  for (const std::string& backend : backends()) second_differences(backend);
}

/// As many cycles as on other tiles, if vectors are aligned.
TEST(GeneralTiles, CostNoCycle) {
  if (!rtl_has_general(4)) GTEST_SKIP() << "the RTL of general tiles is not built";
  std::vector<std::uint64_t> cycles;
  for (const machine::WaferShape& shape : {mesh(2, 2), general_mesh(2, 2)}) {
    Session session(shape, "rtl", 1);
    session.load(layout_of(R"(
.array  x, bf16, 64
.array  y, bf16, 64
.kernel main
        fork  p
        li    r1, 16
        csrw  VL, r1
        li    r2, 3
        csrw  REP, r2
        li    r3, x
        li    r4, y
        li    r5, bf16(0.5)
        vf.fma M[r4], M[r3], S[r5], A
        vf.exp R[r0], M[r4], M[r3], Z
        vf.fma M[r4], M[r4], M[r3], R[r0]
        vf.fma M[r3], M[r4], M[r3], R[r0]
        join
        halt
p:      li    r1, 4
        csrw  VL, r1
        li    r2, 100
        csrr  r3, COL
        bne   r3, r0, take
        vs.mov own=R[r2], out=east
        halt
take:   vs.add in=east, own=R[r2], dst=R[r2]
        halt
)",
                           {shift("east", 0, 1)}));
    session.run("main", {}, false, nullptr);
    cycles.push_back(session.counts().cycles);
  }
  EXPECT_GT(cycles[0], 100U);
  EXPECT_EQ(cycles[0], cycles[1]);
}

/// Each tile sends 20 words of `first` and then 20 of `second` to the east, and takes those of `second` first.
constexpr const char* kTwoStreams = R"(
.kernel main
        fork  p
        halt
p:      csrr  r3, COL
        csrr  r4, COLS
        addi  r4, r4, -1
        beq   r3, r4, take
        li    r9, 20
a:      snd   first, r1
        dbnz  r9, a
        li    r9, 20
b:      snd   second, r1
        dbnz  r9, b
take:   beq   r3, r0, done
        li    r9, 20
c:      rcv   r5, second
        dbnz  r9, c
        li    r9, 20
d:      rcv   r5, first
        dbnz  r9, d
done:   halt
)";

TEST(GeneralTiles, SendAColorPastOneThatWaits) {
  const Layout layout = layout_of(kTwoStreams, {shift("first", 0, 1), shift("second", 0, 1)});
  Session small(mesh(1, 2), "model", 1), general(general_mesh(1, 2), "model", 1);
  general.load(layout);
  std::string error;
  try {
    small.load(layout);
  } catch (const std::exception& e) {
    error = e.what();
  }
  EXPECT_NE(error.find("would hang"), std::string::npos) << error;
  EXPECT_TRUE(general.run("main", {}, true, nullptr));
}

TEST(GeneralTiles, AreDemandedByAProgram) {
  EXPECT_EQ(refusal_of([] {
              build(layout_of(kSecondDifference, {}, {{"N", 64}}), mesh(1, 1));
            }),
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
