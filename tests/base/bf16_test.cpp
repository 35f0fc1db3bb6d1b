#include "sw/base/bf16.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sw/asm/assembler.hpp"

namespace weft::test {
namespace {

TEST(Bf16, ADoubleIsRoundedOnce) {
  EXPECT_EQ(nearest_bf16(1 + std::ldexp(1, -8)), 0x3f80);                       // a tie
  EXPECT_EQ(nearest_bf16(1 + std::ldexp(1, -8) + std::ldexp(1, -30)), 0x3f81);  // as a float it would be a tie
  EXPECT_EQ(nearest_bf16(1 + 3 * std::ldexp(1, -8) - std::ldexp(1, -40)), 0x3f81);
  EXPECT_EQ(nearest_bf16(-(1 + 3 * std::ldexp(1, -8))), 0xbf82);
}

TEST(Bf16, SubnormalResultIsSignedZero) {
  EXPECT_EQ(nearest_bf16(1e-40), 0);
  EXPECT_EQ(nearest_bf16(-1e-40), 0x8000);
  EXPECT_EQ(nearest_bf16(std::ldexp(1, -126)), 0x0080);
  EXPECT_EQ(nearest_bf16(std::ldexp(1, -126) * (1 - std::ldexp(1, -20))), 0x0080);
}

TEST(Bf16, OverflowIsInfinity) {
  EXPECT_EQ(nearest_bf16(1e300), 0x7f80);
  EXPECT_EQ(nearest_bf16(-std::numeric_limits<double>::infinity()), 0xff80);
  EXPECT_EQ(nearest_bf16(3.38e38), 0x7f7e);
  EXPECT_EQ(nearest_bf16(std::nan("")), kNanBf16);
}

TEST(Bf16, AFloatRoundsLikeTheDoubleThatItIs) {
  for (std::uint64_t bits = 0; bits < 0x100000000; bits += 65521) {
    const auto word = static_cast<std::uint32_t>(bits);
    if (is_nan(word) || flush(word) != word) continue;
    EXPECT_EQ(to_bf16(word), nearest_bf16(as_float(word))) << std::hex << word;
  }
}

TEST(Bf16, TheAssemblerRoundsLikeEveryoneElse) {
  const auto constant = [](const char* text) {
    return assembler::assemble("li r1, bf16(" + std::string(text) + ")\n", "x.s", {}).words.at(0) & 0xffff;
  };
  EXPECT_EQ(constant("1.003906250931322574615478515625"), 0x3f81u);
  EXPECT_EQ(constant("1e-40"), 0u);
}

}  // namespace
}  // namespace weft::test
