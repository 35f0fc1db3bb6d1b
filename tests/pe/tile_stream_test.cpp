// The instructions that live on streams: sparse GEMM, partial-sum ring, gradient, broadcast, reduction.
#include <gtest/gtest.h>

#include <map>

#include "tests/pe/tile_grid.hpp"
#include "tests/pe/tile_reference.hpp"

namespace weft::test {
namespace {

using Words = std::vector<std::uint32_t>;

std::string csr(const char* name, int value) {
  return "li r9, " + std::to_string(value) + "\n csrw " + name + ", r9\n";
}
void fill(TileGrid& g, std::mt19937& rng, int elements, int row = 0, int col = 0) {
  for (int i = 0; i < elements; ++i) g.poke(i, random_bf16(rng), row, col);
}

// ---------------------------------------------------------------------------------------------------------- vaxs

void axpy_case(bool one_hot, int vl, int weights) {
  std::mt19937 rng(vl * 100 + weights + one_hot);
  SCOPED_TRACE("vl " + std::to_string(vl) + ", weights " + std::to_string(weights));
  TileGrid g;
  fill(g, rng, 4096);
  std::vector<std::array<std::uint32_t, kLanes>> acc(vl);
  for (int i = 0; i < vl; ++i) {
    for (int l = 0; l < kLanes; ++l) g.acc(40 + i, l) = acc[i][l] = random_fp32(rng);
  }
  g.program(csr("VL", vl) + csr("STA", 4 * vl) + csr("LMASK", 0x1f) +
            (one_hot ? "vaxs R[r2], OH[r1]\n" : "vaxs R[r2], M[r1]\n") + "halt");
  g.set_reg(1, 64);
  g.set_reg(2, 40);
  g.call(0);
  for (int n = 0; n < weights; ++n) {
    const auto index = one_hot ? g.mem(64 + rng() % (4 * vl)) : static_cast<std::uint16_t>(rng());
    const bf16 w = random_bf16(rng);
    g.weight(0, index, w);
    for (int i = 0; i < vl; ++i) {
      for (int l = 0; l < kLanes; ++l) {
        const auto x = g.mem(64 + (one_hot ? 0 : (index & 0x1f) * 4 * vl) + i * 4 + l);
        acc[i][l] = fma_bits(one_hot ? (x == index ? 0x3f80 : 0) : x, w, acc[i][l]);
      }
    }
  }
  g.cr();
  g.settle();
  for (int i = 0; i < vl; ++i) {
    for (int l = 0; l < kLanes; ++l) ASSERT_EQ(g.acc(40 + i, l), acc[i][l]);
  }
  EXPECT_EQ(g.flags(), 0);
  EXPECT_TRUE(g.resting());
}

TEST(Vaxs, AddsScaledFeaturesInStreamOrder) {
  for (int vl : {1, 2, 5, 8, 12}) {
    for (int weights : {0, 1, 2, 17}) {
      axpy_case(false, vl, weights);
      axpy_case(true, vl, weights);
    }
  }
}

TEST(Vaxs, AnotherControlMessageEndsItAndSetsTheFlag) {
  TileGrid g;
  g.program(csr("VL", 1) + "vaxs R[r0], M[r0]\n li r3, 5\n halt");
  g.call(0);
  g.set_reg(4, 1);  // not a CR
  g.settle();
  EXPECT_EQ(g.flags(), 1 << 3);
  EXPECT_EQ(g.reg(0, 3), 5);
}

// ----------------------------------------------------------------------------------------------- vcr, vs, the ring

TEST(PartialSum, GoesAroundTheRingInOrder) {
  constexpr int kRows = 3, kVl = 6, kOutputs = 9;
  std::mt19937 rng(7);
  TileGrid g(kRows);
  // Home row of output o is o mod rows. psum: r1 = position after the home row, counting south.
  g.program(csr("VL", kVl) + csr("STA", 4 * kVl) + csr("LMASK", 0x7) + R"(
    csrr r3, ROWS
    csrr r4, ROW
    mvp  r3, r3
    mvp  r4, r4
    mvp  r9, r9
    li   r1, 0
    li   r2, 0         ; accumulators
    li   r5, 16        ; partial sums (two buffers)
    li   r6, )" + std::to_string(kOutputs) + R"(
    mvp  r6, r6
    fork P
L:  vaxs R[r2], M[r1]
    vcr  R[r5], R[r2]
    dbnz r6, L
    join
    halt
P:  li   r9, )" + std::to_string(kVl) + R"(
    csrw VL, r9
    li   r5, 16
    li   r7, 512       ; where results go
    li   r8, 0         ; home row
N:  beq  r8, r4, HOME
    addi r10, r8, 1
    bne  r10, r3, W
    li   r10, 0
W:  beq  r10, r4, FIRST
    vs.add in=RING, own=Q[r5], out=RING
    jmp  E
FIRST: vs.mov own=Q[r5], out=RING
    jmp  E
HOME: vs.add in=RING, own=Q[r5], dst=M[r7]
    addi r7, r7, )" + std::to_string(4 * kVl) + R"(
E:  addi r8, r8, 1
    bne  r8, r3, S
    li   r8, 0
S:  dbnz r6, N
    halt)");
  std::array<std::vector<std::uint16_t>, kRows> x;
  for (int r = 0; r < kRows; ++r) {
    fill(g, rng, 512, r);
    for (int i = 0; i < 512; ++i) x[r].push_back(g.mem(i, r));
    g.call(0, r);
  }
  std::map<int, std::vector<std::uint16_t>> expected;  // by output
  for (int o = 0; o < kOutputs; ++o) {
    std::vector<std::array<std::uint32_t, kRows>> acc(4 * kVl, {0, 0, 0});
    for (int r = 0; r < kRows; ++r) {
      const int weights = rng() % 5;
      for (int n = 0; n < weights; ++n) {
        const auto index = static_cast<std::uint16_t>(rng());
        const bf16 w = random_bf16(rng);
        g.weight(r, index, w);
        for (int t = 0; t < 4 * kVl; ++t) acc[t][r] = fma_bits(x[r][(index & 7) * 4 * kVl + t], w, acc[t][r]);
      }
      g.cr(r);
    }
    for (int t = 0; t < 4 * kVl; ++t) {
      const int home = o % kRows;
      std::uint32_t sum = acc[t][(home + 1) % kRows];
      for (int k = 2; k <= kRows; ++k) sum = add_bits(sum, acc[t][(home + k) % kRows]);
      expected[o].push_back(to_bf16(sum));
    }
  }
  g.settle();
  for (int r = 0; r < kRows; ++r) {
    EXPECT_EQ(g.flags(r), 0);
    EXPECT_TRUE(g.resting(r));
  }
  for (int o = 0; o < kOutputs; ++o) {
    for (int t = 0; t < 4 * kVl; ++t) {
      ASSERT_EQ(g.mem(512 + (o / kRows) * 4 * kVl + t, o % kRows), expected[o][t]) << "output " << o << ", token " << t;
    }
  }
}

// The seeds' four cycles: one to copy, one to reset, two for the double-wide add; the AXPYs' beats go on in between.
TEST(PartialSum, TakesFourCyclesOfTheVectorUnitPerAccumulator) {
  constexpr int kVl = 8, kOutputs = 6, kWeights = 20;
  TileGrid g(2);
  // Both rows add what comes from the other; row 0 starts.
  g.program(csr("VL", kVl) + csr("STA", 4 * kVl) + csr("LMASK", 0x7) + R"(
    li   r5, 16
    li   r6, )" + std::to_string(kOutputs) + R"(
    csrr r4, ROW
    mvp  r4, r4
    mvp  r5, r5
    mvp  r6, r6
    mvp  r9, r9
    fork P
L:  vaxs R[r0], M[r0]
    vcr  R[r5], R[r0]
    dbnz r6, L
    halt
P:  li   r9, )" + std::to_string(kVl) + R"(
    csrw VL, r9
    bne  r4, r0, H
N:  vs.mov own=Q[r5], out=RING
    dbnz r6, N
    halt
H:  li   r7, 1024
    vs.add in=RING, own=Q[r5], dst=M[r7]
    dbnz r6, H
    halt)");
  for (int r = 0; r < 2; ++r) {
    g.call(0, r);
    for (int o = 0; o < kOutputs; ++o) {
      for (int n = 0; n < kWeights; ++n) g.weight(r, static_cast<std::uint16_t>(n), 0x3f80);
      g.cr(r);
    }
  }
  int main_beats = 0, psum_beats = 0, between = 0, inside = 0;
  const auto before = g.tile(1).beats_o;
  const auto fma_before = g.tile(1).fma_lanes_o;
  for (int n = 0; n < 5000; ++n) {
    const Vtile& t = g.tile(1);
    // The signals show what the coming clock edge does; a sleeping tile does nothing.
    if (t.psum_issue_o) ++psum_beats, ++inside;
    if (t.main_issue_o) {
      ++main_beats;
      if (inside > 0 && inside < 2 * kVl) ++between;
    }
    if (inside == 2 * kVl) inside = 0;
    ASSERT_FALSE(t.main_issue_o && t.psum_issue_o);
    g.step();
  }
  EXPECT_TRUE(g.quiet());
  const int axpy_beats = kOutputs * kWeights * kVl;
  EXPECT_EQ((g.tile(1).fma_lanes_o - fma_before), 4u * axpy_beats);
  EXPECT_EQ(g.tile(1).beats_o - before, static_cast<std::uint64_t>(main_beats + psum_beats));
  EXPECT_EQ(psum_beats, kOutputs * kVl * 2);               // the double-wide add
  EXPECT_EQ(main_beats - axpy_beats, kOutputs * kVl * 2);  // copy and reset
  EXPECT_GT(between, kOutputs * kVl / 2);                  // and main worked on while psum waited for its words
}

// A dense GEMM on a column of two: 64 weights for each output and row, 32 tokens.
TEST(PartialSum, ADenseGemmKeepsTheLanesBusy) {
  constexpr int kVl = 8, kOutputs = 8, kWeights = 64;
  TileGrid g(2);
  // Outputs live in row 1: row 0 starts each sum, row 1 ends it.
  g.program(csr("VL", kVl) + csr("STA", 4 * kVl) + csr("LMASK", 0x3f) + R"(
    li   r5, 16
    li   r6, )" + std::to_string(kOutputs) + R"(
    csrr r4, ROW
    mvp  r4, r4
    mvp  r5, r5
    mvp  r6, r6
    mvp  r9, r9
    fork P
L:  vaxs R[r0], M[r0]
    vcr  R[r5], R[r0]
    dbnz r6, L
    join
    halt
P:  li   r9, )" + std::to_string(kVl) + R"(
    csrw VL, r9
    li   r7, 4096
    bne  r4, r0, H
N:  vs.mov own=Q[r5], out=RING
    dbnz r6, N
    halt
H:  vs.add in=RING, own=Q[r5], dst=M[r7]
    addi r7, r7, )" + std::to_string(4 * kVl) + R"(
    dbnz r6, H
    halt)");
  g.settle();
  for (int r = 0; r < 2; ++r) {
    g.call(0, r);
    for (int o = 0; o < kOutputs; ++o) {
      for (int n = 0; n < kWeights; ++n) g.weight(r, static_cast<std::uint16_t>(n), 0x3f80);
      g.cr(r);
    }
  }
  const auto start = g.cycles();
  const auto fma_before = g.tile(1).fma_lanes_o;
  int main_beats = 0;
  while (!g.quiet() || g.cycles() == start) {
    main_beats += g.tile(1).main_issue_o;
    g.step();
  }
  const double cycles = static_cast<double>(g.cycles() - start);
  const double fma = static_cast<double>(g.tile(1).fma_lanes_o - fma_before) / kLanes;
  std::printf("main beats %.3f, multiply-add beats %.3f of all cycles\n", main_beats / cycles, fma / cycles);
  EXPECT_EQ(fma, kOutputs * kWeights * kVl);
  EXPECT_GE(main_beats / cycles, 0.9);
  EXPECT_EQ(g.flags(1), 0);
}

// ---------------------------------------------------------------------------------------------------- vs variants

TEST(Vs, EveryVariantOfInputOperationAndDestination) {
  constexpr int kVl = 3;
  std::mt19937 rng(11);
  for (const char* op : {"add", "max", "mov"}) {
    for (int in = 0; in < 2; ++in) {
      for (int own = 0; own < 2; ++own) {
        for (int out = 0; out < 2; ++out) {
          for (const char* d : {"", "dst=R[r2]", "dst=M[r3]"}) {
            const bool mov = op[1] == 'o';
            if (!own && (!in || !mov)) continue;
            std::string text = std::string("vs.") + op;
            if (in) text += " in=RING";
            if (own) text += (in ? ", own=R[r1]" : " own=R[r1]");
            if (out) text += ", out=WEST";
            if (*d) text += std::string(", ") + d;
            if (in && own && mov) continue;  // own is not read
            SCOPED_TRACE(text);
            TileGrid g;
            Words a, b;
            for (int i = 0; i < kVl; ++i) {
              for (int l = 0; l < kLanes; ++l) {
                g.acc(20 + i, l) = random_fp32(rng);
                g.acc(60 + i, l) = random_fp32(rng);
                a.push_back(g.acc(60 + i, l));
                b.push_back(g.acc(20 + i, l));
              }
            }
            // The RING of one row comes back: sent by a first vs, taken by the one under test.
            g.program("li r1, 20\n mvp r1, r1\n li r1, 30\n mvp r2, r1\n li r1, 128\n mvp r3, r1\n li r1, 60\n mvp r4, r1\n"
                      "fork P\n join\n halt\nP: " + csr("VL", kVl) + (in ? "vs.mov own=R[r4], out=RING\n" : "") + text +
                      "\n halt");
            g.call(0);
            g.settle();
            Words v;
            for (int n = 0; n < kVl * kLanes; ++n) {
              v.push_back(!in ? b[n] : mov ? a[n] : op[0] == 'a' ? add_bits(a[n], b[n]) : max_bits(a[n], b[n]));
            }
            EXPECT_EQ(g.outlet(), out ? v : Words{});
            for (int n = 0; n < kVl * kLanes; ++n) {
              EXPECT_EQ(g.acc(30 + n / 4, n % 4), d[0] && d[4] == 'R' ? v[n] : 0);
              EXPECT_EQ(g.mem(128 + n), d[0] && d[4] == 'M' ? to_bf16(v[n]) : 0);
            }
            EXPECT_EQ(g.flags(), 0);
          }
        }
      }
    }
  }
}

TEST(Vs, InPlaceAndBackToBack) {
  TileGrid g;
  g.program("fork P\n join\n halt\nP: " + csr("VL", 2) +
            "vs.mov own=R[r0], out=RING\n vs.add in=RING, own=R[r0], dst=R[r0], out=RING\n"
            "vs.add in=RING, own=R[r0], dst=R[r0]\n vs.mov own=R[r0], out=WEST\n halt");
  Words expected;
  for (int n = 0; n < 8; ++n) {
    g.acc(n / 4, n % 4) = as_bits(static_cast<float>(n + 1));
    expected.push_back(as_bits(4.0f * static_cast<float>(n + 1)));
  }
  g.call(0);
  g.settle();
  EXPECT_EQ(g.outlet(), expected);
}

TEST(Vs, GatherBringsTheColumnsOneAfterAnother) {
  constexpr int kCols = 4, kVl = 3;
  TileGrid g(1, kCols);
  g.program("fork P\n halt\nP: " + csr("VL", kVl) + "vs.mov own=R[r0], out=WEST, gather\n snd WEST, r9\n halt");
  Words expected;
  for (int c = 0; c < kCols; ++c) {
    for (int n = 0; n < kVl * kLanes; ++n) {
      g.acc(n / 4, n % 4, 0, c) = static_cast<std::uint32_t>(c * 1000 + n);
      expected.push_back(static_cast<std::uint32_t>(c * 1000 + n));
    }
  }
  expected.push_back(kVl);
  g.call(0);
  g.settle();
  EXPECT_EQ(g.outlet(), expected);
}

TEST(Vs, AHeldOutletStopsItAndLosesNothing) {
  constexpr int kVl = 64;
  TileGrid g;
  g.program("fork P\n halt\nP: " + csr("VL", kVl) + "vs.mov own=R[r0], out=WEST\n halt");
  Words expected;
  for (int n = 0; n < kVl * kLanes; ++n) {
    g.acc(n / 4, n % 4) = static_cast<std::uint32_t>(n);
    expected.push_back(static_cast<std::uint32_t>(n));
  }
  g.hold_outlets(true);
  g.call(0);
  g.settle();
  EXPECT_LT(g.outlet().size(), expected.size());
  g.hold_outlets(false);
  g.settle();
  EXPECT_EQ(g.outlet(), expected);
}

// ------------------------------------------------------------------------------------------------------------- vb

TEST(Vb, BroadcastsWidensAndForwards) {
  constexpr int kRows = 3, kVl = 5;
  std::mt19937 rng(13);
  TileGrid g(kRows);
  g.program(R"(
    csrr r4, ROW
    mvp  r4, r4
    li   r1, 64
    mvp  r1, r1
    li   r2, 10
    mvp  r2, r2
    fork P
    join
    halt
P:  )" + csr("VL", kVl) + R"(
    li   r5, 1
    beq  r4, r5, HOME    ; row 1 sends, row 2 forwards, row 0 ends
    beq  r4, r0, LAST
    vb   in=RING, out=RING, dst=R[r2]
    vb   in=RING, out=RING, dst=R[r2]
    halt
LAST: vb in=RING, dst=R[r2]
    vb   in=RING, dst=R[r2]
    halt
HOME: vb src=M[r1], out=RING, dst=R[r2]
    addi r1, r1, 40
    vb   src=M[r1], out=RING, dst=R[r2]
    snd  WEST, r5
    halt)");
  fill(g, rng, 512, 1);
  for (int r = 0; r < kRows; ++r) g.call(0, r);
  g.settle();
  for (int r = 0; r < kRows; ++r) {
    for (int k = 0; k < 2; ++k) {
      for (int n = 0; n < 4 * kVl; ++n) {
        ASSERT_EQ(g.acc(10 + k * kVl + n / 4, n % 4, r), widen(g.mem(64 + 40 * k + n, 1))) << "row " << r;
      }
    }
    EXPECT_EQ(g.flags(r), 0);
  }
  EXPECT_EQ(g.outlet(1), Words{1});
}

TEST(Vb, RawWordsDoNotOvertakeResultsSentBefore) {
  TileGrid g;
  g.program("fork P\n join\n halt\nP: li r1, 1\n csrw VL, r1\n snd WEST, r1\n vs.mov own=R[r0], out=WEST\n"
            "vb src=M[r0], out=WEST, dst=R[r2]\n vs.mov own=R[r0], out=WEST\n halt");
  for (int l = 0; l < 4; ++l) g.acc(0, l) = 100 + l;
  for (int l = 0; l < 4; ++l) g.poke(l, static_cast<std::uint16_t>(l + 1));
  g.call(0);
  g.settle();
  // The second vs sends what vb has put at R[0]: subnormals, flushed.
  EXPECT_EQ(g.outlet(), (Words{1, 100, 101, 102, 103, 0x00020001, 0x00040003, 0, 0, 0, 0}));
}

// ------------------------------------------------------------------------------------------------------ vdot, vr

void gradient_case(int cols, int vl, const std::vector<int>& counts, bool one_hot) {
  std::mt19937 rng(cols * 1000 + vl);
  SCOPED_TRACE("cols " + std::to_string(cols) + ", vl " + std::to_string(vl) + (one_hot ? ", one-hot" : ""));
  TileGrid g(1, cols);
  const int outputs = static_cast<int>(counts.size());
  // dy of output o: M[1024 + o*4*vl]; one row, so it is its own home and the broadcast stays here.
  g.program(csr("VL", vl) + csr("STA", 4 * vl) + csr("LMASK", 0x1f) + R"(
    mvp  r9, r9
    li   r6, )" + std::to_string(outputs) + R"(
    mvp  r6, r6
    li   r5, 100        ; slots
    li   r7, 140        ; dy
    fork P
L:  vdot R[r5], )" + (one_hot ? "OH" : "M") + R"([r0], R[r7]
    dbnz r6, L
    join
    halt
P:  li   r9, )" + std::to_string(vl) + R"(
    csrw VL, r9
    li   r5, 100
    li   r7, 140
    li   r1, 1024
N:  vb   src=M[r1], dst=R[r7]
    vr   in=WEST, out=WEST, src=R[r5]
    addi r1, r1, )" + std::to_string(4 * vl) + R"(
    dbnz r6, N
    halt)");
  for (int c = 0; c < cols; ++c) fill(g, rng, 4096, 0, c);
  g.call(0);
  Words expected;
  for (int o = 0; o < outputs; ++o) {
    for (int n = 0; n < counts[o]; ++n) {
      const auto index = one_hot ? g.mem(rng() % (4 * vl), 0, rng() % cols) : static_cast<std::uint16_t>(rng());
      g.weight(0, index, random_bf16(rng));
      std::uint32_t sum = 0;
      for (int c = cols - 1; c >= 0; --c) {
        std::uint32_t lane[kLanes] = {};
        for (int i = 0; i < vl; ++i) {
          for (int l = 0; l < kLanes; ++l) {
            const auto word = g.mem((one_hot ? 0 : (index & 0x1f) * 4 * vl) + 4 * i + l, 0, c);
            const bf16 x = one_hot ? (word == index ? 0x3f80 : 0) : word;
            const bf16 dy = to_bf16(widen(g.mem(1024 + o * 4 * vl + 4 * i + l, 0, c)));
            lane[l] = fma_bits(x, dy, lane[l]);
          }
        }
        const auto own = add_bits(add_bits(lane[0], lane[1]), add_bits(lane[2], lane[3]));
        sum = c == cols - 1 ? own : add_bits(sum, own);
      }
      expected.push_back(sum);
    }
    g.cr();
  }
  g.settle();
  EXPECT_EQ(g.outlet(), expected);
  for (int c = 0; c < cols; ++c) {
    EXPECT_EQ(g.flags(0, c), 0);
    EXPECT_TRUE(g.resting(0, c));
    EXPECT_FALSE(g.tile(0, c).rootp->tile__DOT__i_pe__DOT__i_main__DOT__active_q);
  }
}

TEST(Vdot, GradientsLeaveInStreamOrder) {
  const std::vector<int> counts = {3, 0, 16, 1, 17, 40, 0, 0, 32, 5, 15, 33};
  for (int cols : {1, 3}) {
    for (int vl : {1, 4, 7}) {
      gradient_case(cols, vl, counts, false);
      gradient_case(cols, vl, counts, true);
    }
  }
}

// ------------------------------------------------------------------------------------------------------ sleeping

TEST(Tile, SkippingSleepingTilesChangesNoCycle) {
  std::vector<std::uint64_t> cycles;
  std::vector<Words> words;
  for (bool skip : {false, true}) {
    std::mt19937 rng(5);
    TileGrid g(2, 2, skip);
    g.program(csr("VL", 4) + csr("STA", 16) + csr("LMASK", 0x7) + R"(
      li r5, 16
      li r6, 8
      mvp r5, r5
      mvp r6, r6
      fork P
  L:  vaxs R[r0], M[r0]
      vcr  R[r5], R[r0]
      dbnz r6, L
      halt
  P:  li r9, 4
      csrw VL, r9
      csrr r4, ROW
      beq r4, r0, S
  N:  vs.add in=RING, own=Q[r5], dst=R[r5]
      vs.mov own=R[r5], out=WEST, gather
      dbnz r6, N
      halt
  S:  vs.mov own=Q[r5], out=RING
      dbnz r6, S
      halt)");
    for (int r = 0; r < 2; ++r) {
      fill(g, rng, 256, r, 0);
      fill(g, rng, 256, r, 1);
      g.call(0, r);
    }
    for (int n = 0; n < 8; ++n) {
      for (int r = 0; r < 2; ++r) {
        for (int k = 0; k < 3; ++k) g.weight(r, static_cast<std::uint16_t>(rng()), random_bf16(rng));
        g.cr(r);
      }
      for (unsigned wait = rng() % 60; wait > 0; --wait) g.step();
    }
    g.hold_outlets(true);
    for (int n = 0; n < 300; ++n) g.step();
    g.hold_outlets(false);
    g.settle();
    cycles.push_back(g.cycles());
    words.push_back(g.outlet(1));
    EXPECT_EQ(g.skipped() > 0, skip);
    for (int r = 0; r < 2; ++r) {
      cycles.push_back(g.tile(r, 1).beats_o);
      EXPECT_EQ(g.flags(r), 0);
    }
  }
  EXPECT_EQ(std::vector(cycles.begin(), cycles.begin() + 3), std::vector(cycles.begin() + 3, cycles.end()));
  EXPECT_EQ(words[0], words[1]);
  EXPECT_FALSE(words[0].empty());
}

}  // namespace
}  // namespace weft::test
