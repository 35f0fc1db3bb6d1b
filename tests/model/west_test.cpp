/// Joins words of slices.
#include "verif/model/edge/west.hpp"

#include <gtest/gtest.h>

#include <bit>

#include "verif/model/numbers/simd.hpp"

namespace weft::model::west_test {
namespace {

/// Stores the same sum in all slots.
void give(float* sums, std::vector<float> columns) {
  for (const float column : columns) {
    std::fill_n(sums, kVector, column);
    sums += kVector;
  }
}

std::vector<std::uint32_t> join(const std::vector<const West*>& slices) {
  std::vector<std::uint32_t> outlet;
  West::join(slices, outlet);
  return outlet;
}

/// The joined word of two slots' sums: slices from the first column on, each slice's columns from the east.
std::uint32_t joined(const std::vector<std::vector<float>>& columns) {
  std::vector<West> west(columns.size());
  std::vector<const West*> slices;
  for (std::size_t s = 0; s < columns.size(); ++s) {
    give(west[s].sums(west[s].reserve(2, static_cast<int>(columns[s].size()))), columns[s]);
    slices.push_back(&west[s]);
  }
  const auto outlet = join(slices);
  EXPECT_EQ(outlet.size(), 2U);
  EXPECT_EQ(outlet.at(0), outlet.at(1));
  return outlet.at(0);
}

std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }

TEST(West, SumsBeginInTheEast) {
  EXPECT_EQ(joined({{-1e8F, 0.5F}, {1}, {1e8F}}), bits(0.5F));
  EXPECT_EQ(joined({{0.5F, -1e8F}, {1}, {1e8F}}), bits(0));
  EXPECT_EQ(joined({{0.5F},
                    {-1e8F},
                    {
                        1e8F,
                    }}),
            bits(0.5F));
  EXPECT_EQ(joined({{1.5F}}), bits(1.5F));
}

TEST(West, WordsOfASingleColumnLeaveInOrder) {
  West west;
  const std::size_t first = west.reserve_words(2), second = west.reserve_words(3);
  west.word(6);
  const std::size_t third = west.reserve_words(1);
  *west.sums(third) = std::bit_cast<float>(7U);
  for (std::uint32_t k = 0; k < 3; ++k) west.sums(second)[k] = std::bit_cast<float>(3 + k);
  for (std::uint32_t k = 0; k < 2; ++k) west.sums(first)[k] = std::bit_cast<float>(1 + k);
  EXPECT_EQ(join({&west}), (std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6, 7}));
}

TEST(West, NothingIsAddedToMinusZero) {
  EXPECT_EQ(joined({{-0.0F, -0.0F}, {-0.0F}}), bits(-0.0F));
  EXPECT_EQ(joined({{-0.0F}}), bits(-0.0F));
  EXPECT_EQ(joined({{-0.0F}, {0.0F}}), bits(0.0F));
}

TEST(West, NansAreCanonical) {
  EXPECT_EQ(joined({{1}, {std::bit_cast<float>(0xffc12345U)}}), 0x7fc00000U);
  EXPECT_EQ(joined({{std::bit_cast<float>(0x7fc12345U)}}), 0x7fc00000U);
}

TEST(West, KeepsTheOrderOfParts) {
  West west, east;
  const std::vector<std::uint32_t> first{1, 2}, second{3};
  west.word(7), west.words(first), give(west.sums(west.reserve(1, 1)), {2});
  east.word(8), east.words(second), give(east.sums(east.reserve(1, 1)), {3});
  EXPECT_EQ(join({&west, &east}), (std::vector<std::uint32_t>{7, 1, 2, 3, bits(5)}));
}

TEST(West, SlicesThatDifferAreRefused) {
  West west, east;
  west.word(7);
  EXPECT_THROW(join({&west, &east}), std::logic_error);
}

}  // namespace
}  // namespace weft::model::west_test
