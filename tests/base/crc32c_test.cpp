/// The checksum compared with its definition, computed bit by bit.
#include "sw/base/crc32c.hpp"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "tests/random.hpp"

namespace weft::test {
namespace {

std::uint32_t bit_by_bit(std::span<const std::uint8_t> bytes) {
  std::uint32_t crc = ~0U;
  for (const std::uint8_t byte : bytes) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78 : 0);
  }
  return ~crc;
}

TEST(Crc32c, HasTheValueThatItIsKnownBy) {
  const std::string_view digits = "123456789";
  EXPECT_EQ(crc32c({reinterpret_cast<const std::uint8_t*>(digits.data()), digits.size()}), 0xE3069283U);
}

TEST(Crc32c, EqualsItsDefinitionAndContinuesWhereItIsCut) {
  Rng rng(test_seed());
  for (int round = 0; round < 200; ++round) {
    std::vector<std::uint8_t> bytes(rng.below(round % 2 ? 40 : 10000));
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(rng.next());
    const std::span all(bytes);
    const std::uint32_t whole = bit_by_bit(all);
    EXPECT_EQ(crc32c(all), whole) << bytes.size() << " bytes";
    const std::size_t cut = rng.below(static_cast<std::uint32_t>(bytes.size() + 1));
    EXPECT_EQ(crc32c(all.subspan(cut), crc32c(all.first(cut))), whole) << bytes.size() << " bytes, cut at " << cut;
    EXPECT_EQ(crc32c_joined(crc32c(all.first(cut)), crc32c(all.subspan(cut)), bytes.size() - cut), whole)
        << bytes.size() << " bytes, joined at " << cut;
  }
}

}  // namespace
}  // namespace weft::test
