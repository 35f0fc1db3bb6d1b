/// The ROM that sw/tables/tables.py makes is rounded as everything else is.
#include <gtest/gtest.h>

#include <cmath>

#include "sfu_tables.hpp"
#include "sw/base/bf16.hpp"

namespace weft {
namespace {

/// `exponent`: that of an entry whose adjustment is 0.
void expect_nearest(unsigned address, int exponent, double value) {
  const unsigned entry = sfu_tables::kRom[address];
  const auto adjusted = static_cast<unsigned>(127 + exponent) + (entry >> 7);
  EXPECT_EQ(adjusted << 7 | (entry & 0x7f), nearest_bf16(value)) << "entry " << address << ", " << value;
}

TEST(Tables, EveryEntryIsTheNearestBf16) {
  for (unsigned m = 0; m < 128; ++m) {
    const double one_to_two = 1 + m / 128.0;
    for (int exponent = -5; exponent <= 1; ++exponent)
      expect_nearest(static_cast<unsigned>(exponent + 127) % 8 << 7 | m, exponent - 2,
                     std::tanh(std::ldexp(one_to_two, exponent)));
    expect_nearest(sfu_tables::kRecipBase | m, -1, 1 / one_to_two);
    expect_nearest(sfu_tables::kRsqrtBase | m, -1, 1 / std::sqrt(2 * one_to_two));
    expect_nearest(sfu_tables::kRsqrtBase | 128 | m, -1, 1 / std::sqrt(one_to_two));
  }
  for (unsigned f = 0; f < 512; ++f) expect_nearest(sfu_tables::kExpBase | f, 0, std::exp2((f + 0.5) / 512));
}

}  // namespace
}  // namespace weft
