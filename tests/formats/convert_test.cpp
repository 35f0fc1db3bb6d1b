/// Conversions to 16-bit floating point.
#include "host/checkpoint/convert.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace weft::formats {
namespace {

std::uint16_t word_of(checkpoint::Dtype dtype, float value) {
  std::uint16_t word = 0;
  EXPECT_EQ(checkpoint::from_float(dtype, {&value, 1}, {reinterpret_cast<std::uint8_t*>(&word), 2}), std::nullopt)
      << value;
  return word;
}

float float_of(checkpoint::Dtype dtype, std::uint16_t word) {
  float value = 0;
  checkpoint::to_float(dtype, {reinterpret_cast<const std::uint8_t*>(&word), 2}, {&value, 1});
  return value;
}

bool fits(checkpoint::Dtype dtype, float value) {
  std::uint16_t word = 0;
  return !checkpoint::from_float(dtype, {&value, 1}, {reinterpret_cast<std::uint8_t*>(&word), 2});
}

TEST(FromFloat, EveryFiniteNumberOf16BitsRoundTrips) {
  for (const checkpoint::Dtype dtype : {checkpoint::Dtype::F16, checkpoint::Dtype::BF16}) {
    for (std::uint32_t word = 0; word < 0x10000; ++word) {
      const float value = float_of(dtype, static_cast<std::uint16_t>(word));
      if (std::isfinite(value)) {
        ASSERT_EQ(word_of(dtype, value), word);
      }
    }
  }
}

/// Between neighbors a and b: below the midpoint a, above it b, at the midpoint the even one.
TEST(FromFloat, RoundsToNearestTiesToEven) {
  for (const checkpoint::Dtype dtype : {checkpoint::Dtype::F16, checkpoint::Dtype::BF16}) {
    const std::uint32_t infinity = dtype == checkpoint::Dtype::F16 ? 0x7C00 : 0x7F80;
    for (std::uint32_t word = 0; word + 1 < infinity; ++word) {
      const double a = float_of(dtype, static_cast<std::uint16_t>(word));
      const double b = float_of(dtype, static_cast<std::uint16_t>(word + 1));
      const auto middle = static_cast<float>((a + b) / 2);
      ASSERT_EQ(word_of(dtype, middle), word + word % 2);
      ASSERT_EQ(word_of(dtype, std::nextafter(middle, 0.0F)), word);
      ASSERT_EQ(word_of(dtype, std::nextafter(middle, std::numeric_limits<float>::infinity())), word + 1);
      ASSERT_EQ(word_of(dtype, -middle), (word + word % 2) | 0x8000U);
    }
  }
}

TEST(FromFloat, AValueOutOfRangeIsReportedWithItsPlace) {
  EXPECT_TRUE(fits(checkpoint::Dtype::F16, 65519.996F));
  EXPECT_FALSE(fits(checkpoint::Dtype::F16, 65520));
  EXPECT_FALSE(fits(checkpoint::Dtype::F16, -1e30F));
  EXPECT_TRUE(fits(checkpoint::Dtype::BF16, 3.38e38F));
  EXPECT_FALSE(fits(checkpoint::Dtype::BF16, std::numeric_limits<float>::max()));
  for (const checkpoint::Dtype dtype : {checkpoint::Dtype::F16, checkpoint::Dtype::BF16}) {
    EXPECT_FALSE(fits(dtype, std::numeric_limits<float>::infinity()));
    EXPECT_FALSE(fits(dtype, std::numeric_limits<float>::quiet_NaN()));
  }
  const float values[] = {1, 2, 1e9F};
  std::uint8_t bytes[6];
  EXPECT_EQ(checkpoint::from_float(checkpoint::Dtype::F16, values, bytes), 2U);
}

}  // namespace
}  // namespace weft::formats
