// `vf` on one tile against a sequential evaluation in C++: every operand form, and random programs full of hazards.
#include <gtest/gtest.h>

#include "tests/pe/tile_grid.hpp"
#include "tests/pe/tile_reference.hpp"

namespace weft::test {
namespace {

const char* const kFns[] = {"fma", "max", "ge", "sel", "exp", "recip", "rsqrt", "tanh"};
const char* const kAs[] = {"M", "S", "OH"};
const char* const kBs[] = {"S", "R", "MS", "A", "M"};
const char* const kCs[] = {"Z", "R", "A", "S", "M"};

/// True if such an instruction exists: of a, b and c two at most are vectors in memory, and b and c share an address.
bool exists(const Vf& v) {
  const bool b = v.b == "M", c = v.c == "M";
  return !(b || c) || (v.a == "M" && !(b && c) && !(c && (v.b == "R" || v.b == "MS")));
}
const char* const kDs[] = {"R", "M"};

std::string set_csrs(const Vf& v) {
  std::string t;
  const std::pair<const char*, int> csrs[] = {{"VL", v.vl},   {"REP", v.rep}, {"STA", v.sta}, {"STB", v.stb},
                                              {"STD", v.std}, {"IDX", v.idx}, {"STR", v.str}};
  for (auto [name, value] : csrs) t += "li r9, " + std::to_string(value) + "\n csrw " + name + ", r9\n";
  return t;
}

TEST(Vf, EveryFunctionOfEveryOperandForm) {
  std::mt19937 rng(1);
  for (const char* fn : kFns) {
    for (const char* a : kAs) {
      for (const char* b : kBs) {
        for (const char* c : kCs) {
          for (const char* d : kDs) {
            Machine s;
            s.randomize(rng, 1024);
            Vf v{.fn = fn, .a = a, .b = b, .c = c, .d = d};
            if (!exists(v)) continue;
            if (v.b == "M" || v.c == "M") v.stb = 8 * kLanes;
            v.vl = 5, v.rep = 3, v.sta = 10 * kLanes, v.stb = v.stb ? v.stb : 7, v.std = 6 * kLanes, v.str = 6;
            v.ra = a[0] == 'S' ? random_bf16(rng) : 64;
            v.rb = b[0] == 'S' ? random_bf16(rng) : b[0] == 'R' ? 30 : b[1] == 'S' ? 301 : 16 * kLanes;
            v.rc = c[0] == 'S' ? random_bf16(rng) : c[0] == 'M' ? 20 * kLanes : 60;
            v.rd = d[0] == 'R' ? 100 : 400;
            v.idx = s.m[67];
            TileGrid g;
            put(g, s, 1024);
            const std::string text = v.text("r4", "r1", "r2", "r3");
            g.program(set_csrs(v) + text + " halt");
            g.set_reg(1, v.ra), g.set_reg(2, v.rb), g.set_reg(3, v.rc), g.set_reg(4, v.rd);
            g.call(0);
            g.settle();
            v.run(s);
            ASSERT_NO_FATAL_FAILURE(expect_same(g, s, 1024, text));
            ASSERT_EQ(g.flags(), 0);
          }
        }
      }
    }
  }
}

TEST(Vf, NoRepetitionDoesNothing) {
  TileGrid g;
  Machine s;
  std::mt19937 rng(2);
  s.randomize(rng, 64);
  put(g, s, 64);
  g.program(
      "li r1, 4\n csrw VL, r1\n csrw REP, r0\n vf.fma R[r0], M[r0], A, Z\n vf.fma M[r0], M[r0], MS[r0], Z\n halt");
  g.call(0);
  g.settle();
  expect_same(g, s, 64, "REP = 0");
}

TEST(Vf, TheWholeAccumulatorFileIsOneVector) {
  TileGrid g;
  Machine s;
  std::mt19937 rng(3);
  s.randomize(rng, 2048);
  put(g, s, 2048);
  Vf v{.fn = "fma", .a = "M", .b = "S", .c = "R", .d = "R"};
  v.vl = 256, v.ra = 512, v.rb = 0x4000;
  g.program(set_csrs(v) + v.text("r0", "r1", "r2", "r0") + " halt");
  g.set_reg(1, v.ra), g.set_reg(2, v.rb);
  g.call(0);
  g.settle();
  v.run(s);
  expect_same(g, s, 2048, "VL = 256");
}

TEST(Vf, BadVectorAddressesSetTheirFlag) {
  constexpr int kMisaligned = 1 << 5, kBadAddress = 1 << 6;
  const auto flags = [](int address, const std::string& instruction) {
    TileGrid g;
    g.program("li r1, 1\n csrw VL, r1\n csrw REP, r1\n" + instruction + "\n halt");
    g.set_reg(2, address);
    g.call(0);
    g.settle();
    return g.flags();
  };
  for (const char* instruction : {"vf.fma R[r0], M[r2], A, Z", "vf.fma M[r2], S[r1], A, Z"}) {
    EXPECT_EQ(flags(24576 - kLanes, instruction), 0) << instruction;
    EXPECT_EQ(flags(1, instruction), kMisaligned) << instruction;
    EXPECT_EQ(flags(24576, instruction), kBadAddress) << instruction;
    EXPECT_EQ(flags(65535, instruction), kMisaligned | kBadAddress) << instruction;
  }
  EXPECT_EQ(flags(24575, "ld r3, r2, 0"), 0);
  EXPECT_EQ(flags(24575, "ld r3, r2, 1"), kBadAddress);
}

// Back-to-back instructions on few entries and few words: nearly every beat waits for another.
TEST(Vf, RandomProgramsFullOfHazardsRunAsIfInSequence) {
  constexpr int kElements = 128 * kLanes, kFirst = kUpperHalf - kElements / 4;  // elements of both halves
  for (unsigned seed = 0; seed < 400; ++seed) {
    std::mt19937 rng(seed);
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto below = [&](unsigned n) { return rng() % n; };
    Machine s;
    s.randomize(rng, kElements, kFirst);
    TileGrid g;
    put(g, s, kElements, kFirst);

    // r1..r4 entries, r5..r8 words, r9 scratch, r10..r11 values
    std::uint16_t reg[12] = {};
    for (int r = 1; r <= 4; ++r) reg[r] = static_cast<std::uint16_t>(below(16));
    for (int r = 5; r <= 8; ++r) reg[r] = static_cast<std::uint16_t>(kFirst + kLanes * below(50));
    for (int r = 10; r <= 11; ++r) reg[r] = random_bf16(rng);
    std::string text;
    Vf v;
    auto pick = [&](int first, int count) { return first + static_cast<int>(below(count)); };
    auto name = [](int r) { return "r" + std::to_string(r); };
    for (int n = 0; n < 24; ++n) {
      if (n % 8 == 0) {
        v.vl = 1 + below(12), v.rep = 1 + below(3), v.sta = kLanes * below(8),
        v.stb = below(8) * (below(2) ? 1 : kLanes), v.std = kLanes * below(8), v.str = below(2) ? 0 : below(14);
        v.idx = s.m[kFirst + below(64)];
        text += set_csrs(v);
      }
      v.fn = kFns[below(2) ? 0 : below(8)];
      do v.a = kAs[below(3)], v.b = kBs[below(5)], v.c = kCs[below(5)], v.d = kDs[below(2)];
      while (!exists(v) || ((v.b == "M" || v.c == "M") && v.stb % kLanes));
      const int a = v.a == "S" ? pick(10, 2) : pick(5, 4);
      const int b = v.b == "S" ? pick(10, 2) : v.b == "R" ? pick(1, 4) : pick(5, 4);
      const int c = v.c == "S" ? pick(10, 2) : v.c == "M" ? pick(5, 4) : pick(1, 4);
      const int d = v.d == "R" ? pick(1, 4) : pick(5, 4);
      v.ra = reg[a], v.rb = reg[b], v.rc = reg[c], v.rd = reg[d];
      text += v.text(name(d), name(a), name(b), name(c));
      v.run(s);
    }
    g.program(text + " halt");
    for (int r = 1; r < 12; ++r) g.set_reg(r, reg[r]);
    g.call(0);
    g.settle();
    ASSERT_NO_FATAL_FAILURE(expect_same(g, s, kElements, text, kFirst));
  }
}

}  // namespace
}  // namespace weft::test
