// The cost of each thread to the other at the shared vector unit, in cycles (docs/reference/pe.md, Who goes first).
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/pe/stream_case.hpp"

namespace weft::test {
namespace {

struct Cost {
  std::uint64_t cycles = 0;  ///< from the call to psum's last word
  std::uint64_t beats = 0;   ///< psum's
};

/// Runs psum's program while main runs an endless one, until psum sends its one word.
Cost psum_beside(const std::string& main, const std::string& psum) {
  TileGrid g;
  g.program("li r1, 1024\n li r2, 64\n li r3, 0\n mvp r1, r1\n mvp r2, r2\n li r6, " + std::to_string(64 * kLanes) +
            "\n mvp r6, r6\n fork P\n" + main + "P: " + psum + "\n snd WEST, r0\n halt");
  g.settle();
  g.call(0);
  Cost cost;
  const auto start = g.cycles();
  while (g.outlet().empty() && g.cycles() < 200'000) {
    g.step();
    cost.beats += g.tile().psum_issue_o;
  }
  cost.cycles = g.cycles() - start;
  return cost;
}

std::string times(int n, const std::string& text) {
  std::string all;
  for (int i = 0; i < n; ++i) all += text + "\n";
  return all;
}

const std::string kAlone = "L: jmp L\n";
std::string endless(int vl, const std::string& vf) {
  return csr("VL", vl) + csr("REP", 65535) + "L: " + vf + "\n jmp L\n";
}

// Main's table functions are held back as soon as psum waits for nothing else: their places in the pipeline are free as
// many cycles later as a table function takes more.
TEST(Share, ATableFunctionOfMainCostsABeatOfPsumAFewCycles) {
  for (const char* instruction :
       {"vs.mov own=R[r2], dst=R[r2]", "vs.mov own=R[r2], dst=M[r6]", "vb src=M[r6], dst=M[r2]", "ld r5, r6, 0"}) {
    for (int vl : {1, 5}) {
      const bool once = instruction[1] == 'b';  // PM has room for two
      const std::string psum = csr("VL", vl) + times(once ? 2 : 20, instruction);
      const Cost alone = psum_beside(kAlone, psum);
      for (const char* d : {"M[r1]", "R[r3]"}) {
        SCOPED_TRACE(std::string(instruction) + ", VL " + std::to_string(vl) + ", beside " + d);
        const Cost beside = psum_beside(endless(16, std::string("vf.exp ") + d + ", S[r0], S[r0], Z"), psum);
        EXPECT_EQ(beside.beats, alone.beats);
        EXPECT_LE(beside.cycles, alone.cycles + (2 + kLanes / 2) * beside.beats);
      }
    }
  }
}

// Main writes one address in every cycle, or one with the same key in the interlock, and psum reads it.
TEST(Share, MainWriteWaitsUntilPsumHasRead) {
  const std::string psum = times(10, "ld r5, r1, 0");
  const Cost alone = psum_beside(kAlone, psum);
  for (const char* fn : {"fma", "exp"}) {
    const std::string far = "li r4, " + std::to_string(1024 + 256 * kLanes) + "\n";
    for (const std::string& vf : {std::string("M[r1]"), std::string("M[r4]")}) {
      SCOPED_TRACE(std::string(fn) + " " + vf);
      const Cost beside = psum_beside(far + endless(1, "vf." + std::string(fn) + " " + vf + ", S[r0], S[r0], Z"), psum);
      EXPECT_LE(beside.cycles, alone.cycles + 10 * beside.beats);
    }
  }
}

// Psum goes first. Between two of its vector instructions main gets a cycle.
TEST(Share, MainWaitsNoLongerThanAnInstructionOfPsum) {
  TileGrid g;
  const int beats = 256 * kLanes / 2;  // beats of one vs
  g.program("li r2, 64\n mvp r2, r2\n fork P\n" + endless(8, "vf.fma M[r1], S[r0], S[r0], Z") + "P: " + csr("VL", 256) +
            "N: vs.mov own=R[r2], dst=R[r2]\n jmp N");
  g.call(0);
  int waited = 0, longest = 0, issued = 0;
  for (int n = 0; n < 30 * beats; ++n) {
    g.step();
    waited = g.tile().main_issue_o ? 0 : waited + 1;
    if (issued > 10) longest = std::max(longest, waited);
    issued += g.tile().main_issue_o;
  }
  EXPECT_GT(issued, 20);
  EXPECT_EQ(longest, beats);
}

}  // namespace
}  // namespace weft::test
