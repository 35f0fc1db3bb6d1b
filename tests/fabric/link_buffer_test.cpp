#include <gtest/gtest.h>

#include <deque>

#include "Vweft_link_buffer.h"
#include "tests/clock.hpp"
#include "tests/fabric/link_model.hpp"

namespace weft::test {
namespace {

TEST(LinkBuffer, KeepsEachColorsOrder) {
  Rng rng(test_seed());
  VerilatedContext context;
  Vweft_link_buffer dut(&context);
  reset(dut);
  LinkSender sender;
  std::deque<std::uint64_t> expected[kColors];
  unsigned pops = 0, popped = 0;
  for (unsigned n = 0; n < 20000; ++n) {
    const std::uint64_t m = pack(rng.chance(50), rng.below(kColors), static_cast<std::uint32_t>(rng.next()));
    sender.push(m);
  }
  while (pops < 20000) {
    dut.valid_i = sender.valid;
    dut.msg_i = sender.msg;
    const unsigned color = rng.below(kColors);
    dut.select_i = static_cast<decltype(dut.select_i + 0)>(1u << color);
    dut.pop_i = 0;
    dut.eval();
    ASSERT_EQ(dut.credit_o, popped) << "a credit for each pop, one cycle later";
    for (unsigned c = 0; c < kColors; ++c) ASSERT_EQ(dut.nonempty_o >> c & 1, !expected[c].empty());
    popped = 0;
    if (!expected[color].empty()) {
      ASSERT_EQ(dut.front_o[0], expected[color].front());
      if (rng.chance(70)) {
        popped = 1u << color;
        dut.pop_i = static_cast<decltype(dut.pop_i + 0)>(popped);
        expected[color].pop_front();
        ++pops;
      }
    }
    if (sender.valid) expected[color_of(sender.msg)].push_back(sender.msg);
    const unsigned credit = dut.credit_o;
    clock(dut);
    sender.tick(credit, rng, 60);
  }
  EXPECT_EQ(dut.bad_color_o, 0);
}

#if WEFT_COLORS < 32
/// Without a reset of the flag, a tile that once received such a message would report BAD_COLOR forever.
TEST(LinkBuffer, ResetClearsTheFlagOfAMessageOfAColorThatIsNotBuilt) {
  VerilatedContext context;
  Vweft_link_buffer dut(&context);
  reset(dut);
  EXPECT_EQ(dut.bad_color_o, 0);
  for (const unsigned color : {kColors, 31u}) {
    dut.valid_i = 1;
    dut.msg_i = pack(false, color, 7);
    clock(dut);
    dut.valid_i = 0;
    clock(dut);
    EXPECT_EQ(dut.bad_color_o, 1) << "color " << color;
    EXPECT_EQ(dut.nonempty_o, 0u) << "the message is dropped";
    reset(dut);
    EXPECT_EQ(dut.bad_color_o, 0) << "color " << color;
  }
}
#endif

}  // namespace
}  // namespace weft::test
