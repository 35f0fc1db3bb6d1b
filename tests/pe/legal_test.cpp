/// Legality of instructions: every opcode with every value of the fields that matter, against the list of docs/pe.md.
#include <gtest/gtest.h>

#include "Vweft_pe_legal.h"
#include "tests/random.hpp"

namespace weft::test {
namespace {

constexpr unsigned kColors = 4;  // the module's default
enum Verdict { Good, BadInstr, BadColor };

unsigned field(std::uint32_t word, int msb, int lsb) { return word >> lsb & ((1u << (msb - lsb + 1)) - 1); }

bool is_scalar_of_both(unsigned op) { return (op >= 1 && op <= 12) || (op >= 16 && op <= 22) || op == 24; }

bool csr_exists(bool main, bool write, unsigned csr) {
  const bool writable = csr == 0 || (main && csr <= 7);
  return writable || (!write && csr >= 8 && csr <= 12);
}

Verdict of_main(std::uint32_t word) {
  const unsigned op = word >> 26, asel = field(word, 22, 21), csr = field(word, 3, 0);
  if (op == 11 || op == 12) return csr_exists(true, op == 12, csr) ? Good : BadInstr;
  if (is_scalar_of_both(op)) return Good;
  if (op == 13 || op == 25 || op == 26 || op == 34) return Good;  // mvp, fork, join, vcr
  if (op == 32)
    return asel == 3 && field(word, 20, 19) == 1 ? BadInstr : Good;  // vf: b cannot be in R with two vectors in memory
  if (op == 33 && field(word, 24, 24) && !field(word, 25, 25)) return BadInstr;  // put without turn
  if (op == 33 || op == 35) return asel & 1 ? BadInstr : Good;                   // vaxs, vdot
  return BadInstr;
}

Verdict of_colors(bool in, unsigned cin, bool out, unsigned cout) {
  if ((in && cin == 0) || (out && cout == 0)) return BadInstr;
  return (in && cin >= kColors) || (out && cout >= kColors) ? BadColor : Good;
}

Verdict of_psum(std::uint32_t word) {
  const unsigned op = word >> 26, csr = field(word, 3, 0), color = field(word, 4, 0);
  const bool in = field(word, 25, 25), out = field(word, 22, 22), gather = field(word, 18, 18);
  const unsigned vsop = field(word, 24, 23), d = field(word, 21, 20), cin = field(word, 17, 13),
                 cout = field(word, 12, 8);
  if (op == 11 || op == 12) return csr_exists(false, op == 12, csr) ? Good : BadInstr;
  if (is_scalar_of_both(op)) return Good;
  if (op == 14) return of_colors(true, color, false, 0);
  if (op == 15) return of_colors(false, 0, true, color);
  if (op == 40) {
    if (vsop == 3 || d == 3 || (gather && (in || !out || d != 0))) return BadInstr;
    return of_colors(in || gather, cin, out, cout);
  }
  if (op == 41) return of_colors(in, cin, out, cout);
  if (op == 42) return of_colors(true, cin, true, cout);
  return BadInstr;
}

Verdict verdict(Vweft_pe_legal& dut, std::uint32_t word, bool psum) {
  dut.run_i = 1;
  dut.word_i = word;
  dut.psum_i = psum;
  dut.eval();
  if (dut.bad_instr_o && dut.bad_color_o) ADD_FAILURE() << "both";
  return dut.bad_instr_o ? BadInstr : dut.bad_color_o ? BadColor : Good;
}

/// Calls `check` with words of every opcode: all values of the upper half, and of the low 5 bits, which have all fields
/// that can be illegal, except the low half of a vector instruction's colors.
template <class F>
void every_word(F check) {
  Dice dice(test_seed());
  for (std::uint32_t high = 0; high < 65536; ++high) {
    const auto rest = static_cast<std::uint32_t>(dice.below(1 << 11)) << 5;
    for (std::uint32_t low = 0; low < 32; ++low) check(high << 16 | rest | low);
  }
  for (int n = 0; n < 1'000'000; ++n)  // vs, vb, vr
    check((40 + dice.below(3)) << 26 | dice.below(1 << 26));
}

TEST(Legal, MainKnowsWhatItMayRun) {
  VerilatedContext context;
  Vweft_pe_legal dut(&context);
  unsigned good = 0;
  every_word([&](std::uint32_t word) {
    const Verdict expected = of_main(word);
    if (verdict(dut, word, false) != expected) FAIL() << std::hex << word << ": not " << expected;
    good += expected == Good;
  });
  EXPECT_GT(good, 100'000u);
}

TEST(Legal, PsumKnowsWhatItMayRun) {
  VerilatedContext context;
  Vweft_pe_legal dut(&context);
  unsigned seen[3] = {};
  every_word([&](std::uint32_t word) {
    const Verdict expected = of_psum(word);
    if (verdict(dut, word, true) != expected) FAIL() << std::hex << word << ": not " << expected;
    ++seen[expected];
  });
  for (unsigned n : seen) EXPECT_GT(n, 10'000u);
}

}  // namespace
}  // namespace weft::test
