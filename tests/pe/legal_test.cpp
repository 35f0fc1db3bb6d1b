/// Legality of instructions in RTL: every opcode with every value of the fields that matter, compared with
/// isa_legal.hpp.
#include <gtest/gtest.h>

#include "Vweft_pe_legal.h"
#include "isa_legal.hpp"
#include "tests/random.hpp"

namespace weft::test {
namespace {

using isa::Verdict;

constexpr int kColors = isa::kColors;  // the module's default

Verdict verdict(Vweft_pe_legal& dut, std::uint32_t word, bool psum) {
  dut.run_i = 1;
  dut.word_i = word;
  dut.psum_i = psum;
  dut.eval();
  if (dut.bad_instr_o && dut.bad_color_o) ADD_FAILURE() << "both";
  return dut.bad_instr_o ? Verdict::BadInstr : dut.bad_color_o ? Verdict::BadColor : Verdict::Legal;
}

/// Calls `check` with words of every opcode: all values of the upper half, and of the low 5 bits, which have all fields
/// that can be illegal, except the low half of a vector instruction's colors.
template <class F>
void every_word(F check) {
  Rng rng(test_seed());
  for (std::uint32_t high = 0; high < 65536; ++high) {
    const auto rest = static_cast<std::uint32_t>(rng.below(1 << 11)) << 5;
    for (std::uint32_t low = 0; low < 32; ++low) check(high << 16 | rest | low);
  }
  for (int n = 0; n < 1'000'000; ++n) {  // instructions with colors
    const isa::ColorUse& use = isa::kColorUses[rng.below(std::size(isa::kColorUses))];
    check(static_cast<std::uint32_t>(use.op) << 26 | rng.below(1 << 26));
  }
}

/// Compares RTL and table, and counts the words by verdict.
void compare(isa::Thread thread, unsigned (&seen)[3]) {
  VerilatedContext context;
  Vweft_pe_legal dut(&context);
  every_word([&](std::uint32_t word) {
    const Verdict expected = isa::verdict(word, thread, kColors);
    if (verdict(dut, word, thread == isa::Thread::Psum) != expected)
      FAIL() << std::hex << word << ": not " << static_cast<int>(expected);
    ++seen[static_cast<int>(expected)];
  });
}

TEST(Legal, MainKnowsWhatItMayRun) {
  unsigned seen[3] = {};
  compare(isa::Thread::Main, seen);
  EXPECT_GT(seen[static_cast<int>(Verdict::Legal)], 100'000u);
}

TEST(Legal, PsumKnowsWhatItMayRun) {
  unsigned seen[3] = {};
  compare(isa::Thread::Psum, seen);
  for (unsigned n : seen) EXPECT_GT(n, 10'000u);
}

}  // namespace
}  // namespace weft::test
