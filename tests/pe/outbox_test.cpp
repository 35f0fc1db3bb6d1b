/// The PE's outbox: words in order, only with credits, and room that is counted correctly.
#include <gtest/gtest.h>

#include <array>
#include <deque>

#include "Vweft_pe_outbox.h"
#include "tests/clock.hpp"
#include "tests/random.hpp"

namespace weft::test {
namespace {

TEST(Outbox, SendsEveryWordInOrderWithinItsCredits) {
  constexpr unsigned kColors = 4, kDepth = 4, kRoom = 15;  // one entry of the 16 stays free
  Rng rng(test_seed());
  VerilatedContext context;
  Vweft_pe_outbox dut(&context);
  reset(dut);
  std::deque<std::uint64_t> expected;          // {color, word}, as pushed
  std::deque<unsigned> entries;                // words left of each entry in the queue
  std::array<unsigned, kColors> held{};        // messages for which the receiver has not returned a credit
  unsigned reserved = 0, words = 0, full = 0;  // reserved: beats in flight, not pushed yet
  for (int cycle = 0; cycle < 50000; ++cycle) {
    // The receiver delays credits, sometimes for long.
    dut.credit_i = 0;
    for (unsigned c = 0; c < kColors; ++c) {
      if (held[c] == 0 || !rng.chance(cycle / 500 % 2 ? 80 : 5)) continue;
      --held[c];
      dut.credit_i |= static_cast<CData>(1u << c);
    }
    ASSERT_EQ(dut.room_o, entries.size() + reserved < kRoom) << "cycle " << cycle;
    full += !dut.room_o;
    dut.push_i = reserved > 0 && rng.chance(50);
    dut.reserve_i = dut.room_o && rng.chance(50);
    if (dut.push_i) {
      --reserved;
      const unsigned color = rng.below(kColors);
      const std::uint64_t both = rng.next();
      dut.color_i = static_cast<CData>(color);
      dut.words_i = both;
      dut.last_i = rng.below(2);
      entries.push_back(1u + dut.last_i);
      for (unsigned n = 0; n <= dut.last_i; ++n)
        expected.push_back(std::uint64_t{color} << 32 | static_cast<std::uint32_t>(both >> 32 * n));
    }
    reserved += dut.reserve_i;
    clock(dut);
    if (!dut.valid_o) continue;
    ASSERT_FALSE(expected.empty());
    ASSERT_EQ(dut.msg_o, expected.front()) << "cycle " << cycle;
    ASSERT_LT(held[dut.msg_o >> 32 & 31]++, kDepth) << "sent without a credit";
    expected.pop_front();
    if (--entries.front() == 0) entries.pop_front();
    ++words;
  }
  EXPECT_GT(words, 5000u);
  EXPECT_GT(full, 1000u);
}

}  // namespace
}  // namespace weft::test
