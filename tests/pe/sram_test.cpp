/// The memory of a general tile (AnyAddress): vectors that begin in any lane, element by element, against a list of
/// elements. Both forms are tested (CMakeLists.txt).
#include <gtest/gtest.h>

#include <array>

#include "Vweft_pe_sram.h"
#include "tests/clock.hpp"
#include "tests/pe/any_address.hpp"
#include "tests/random.hpp"

namespace weft::test {
namespace {

constexpr unsigned kWords = 24, kHalf = 16;  // -GWords of CMakeLists.txt; words of the lower half
constexpr unsigned kAddresses = 32;          // words that an address names, 8 of which do not exist

/// A vector: its first word, and its first lane.
struct Vector {
  unsigned word = 0, lane = 0;

  unsigned word_of(unsigned l) const { return (word + (lane + l) / kModuleLanes) % kAddresses; }
  unsigned element(unsigned l) const { return word_of(l) * kModuleLanes + (lane + l) % kModuleLanes; }
  /// The halves that it lies in, a bit each.
  unsigned halves() const { return 1u << (word_of(0) >= kHalf) | 1u << (word_of(kModuleLanes - 1) >= kHalf); }
};

Vector any_vector(Rng& rng) { return {rng.below(kAddresses), rng.below(kModuleLanes)}; }

bool beyond(unsigned word) { return word >= kWords; }

TEST(Sram, ReadsAndWritesVectorsThatBeginInAnyLane) {
  Rng rng(test_seed());
  VerilatedContext context;
  Vweft_pe_sram dut(&context);
  std::array<std::uint16_t, kWords * kModuleLanes> memory{};
  std::array<Vector, 2> read;
  std::array<bool, 2> reads{};
  unsigned split = 0, both = 0;
  // The built memory has any contents at first.
  dut.a_re_i = dut.b_re_i = 0, dut.w_lane_i = 0, dut.we_i = 15, dut.wdata_i = 0;
  for (unsigned word = 0; word < kWords; ++word) dut.waddr_i = static_cast<CData>(word), clock(dut);
  for (int cycle = 0; cycle < 100000; ++cycle) {
    const Vector to = any_vector(rng);
    unsigned enable = rng.chance(60) ? rng.below(16) : 0;
    std::uint64_t data = rng.next();
    std::array<bool, kWords * kModuleLanes> written{};
    for (unsigned l = 0; l < kModuleLanes; ++l) {
      if (beyond(to.word_of(l))) enable &= ~(1u << l);  // pe_writeback does not write these
      if (enable >> l & 1) written[to.element(l)] = true;
    }
    for (unsigned port = 0; port < 2; ++port) {
      read[port] = any_vector(rng);
      reads[port] = rng.chance(80);
      for (unsigned l = 0; l < kModuleLanes; ++l)  // pe_hazard prevents a read of what is written
        if (!beyond(read[port].word_of(l)) && written[read[port].element(l)]) reads[port] = false;
    }
    if (reads[0] && reads[1] && (read[0].halves() & read[1].halves())) reads[1] = false;  // pe_main_seq prevents that
    dut.we_i = static_cast<CData>(enable), dut.waddr_i = static_cast<CData>(to.word);
    dut.w_lane_i = static_cast<CData>(to.lane), dut.wdata_i = data;
    dut.a_re_i = reads[0], dut.a_addr_i = static_cast<CData>(read[0].word);
    dut.a_lane_i = static_cast<CData>(read[0].lane), dut.a_zero_i = beyond(read[0].word);
    dut.a_next_zero_i = beyond((read[0].word + 1) % kAddresses);
    dut.b_re_i = reads[1], dut.b_addr_i = static_cast<CData>(read[1].word);
    dut.b_lane_i = static_cast<CData>(read[1].lane), dut.b_zero_i = beyond(read[1].word);
    dut.b_next_zero_i = beyond((read[1].word + 1) % kAddresses);
    clock(dut);
    const auto expected = [&](unsigned port) {
      std::uint64_t value = 0;
      for (unsigned l = 0; l < kModuleLanes; ++l)
        if (!beyond(read[port].word_of(l))) value |= std::uint64_t{memory[read[port].element(l)]} << 16 * l;
      return value;
    };
    if (reads[0]) {
      ASSERT_EQ(dut.a_rdata_o, expected(0)) << "cycle " << cycle;
    }
    if (reads[1]) {
      ASSERT_EQ(dut.b_rdata_o, expected(1)) << "cycle " << cycle;
    }
    split += reads[0] && read[0].lane != 0;
    both += reads[0] && reads[1];
    for (unsigned l = 0; l < kModuleLanes; ++l)
      if (enable >> l & 1) memory[to.element(l)] = static_cast<std::uint16_t>(data >> 16 * l);
  }
  EXPECT_GT(split, 20000u);
  EXPECT_GT(both, 5000u);
}

}  // namespace
}  // namespace weft::test
