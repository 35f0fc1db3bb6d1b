/// Waits between beats, against a list of the beats in flight.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "Vweft_pe_hazard.h"
#include "tests/clock.hpp"
#include "tests/pe/any_address.hpp"
#include "tests/random.hpp"

namespace weft::test {
namespace {

constexpr unsigned kPairs = kModuleLanes / 2;
// rtl/pe/weft_pe_pkg.sv, for four lanes
constexpr int kBeat = 7, kTable = 11, kSteps = 2;

constexpr unsigned kKeys = 128;

/// True if vectors that begin in these words and lanes have an element in common. Lanes count in a general tile only.
bool meet(unsigned key, unsigned lane, unsigned other, unsigned other_lane) {
  if (!kAnyAddress) return key == other;
  constexpr unsigned kElements = kKeys * kModuleLanes;
  const unsigned apart = (key * kModuleLanes + lane + kElements - other * kModuleLanes - other_lane) % kElements;
  return apart < kModuleLanes || apart > kElements - kModuleLanes;
}

/// A set of pairs of lanes: one, or all.
unsigned pairs(bool one, unsigned pair) { return one ? 1u << pair : (1u << kPairs) - 1; }

struct Beat {
  int left;  ///< cycles until it writes; in the last one it is 1
  bool psum, mem, reg;
  unsigned pairs;
  unsigned key, lane;
};

class Flight {
 public:
  std::vector<Beat> beats;

  bool memory(unsigned key, unsigned lane) const {
    return any([&](const Beat& b) { return b.mem && meet(key, lane, b.key, b.lane); });
  }
  /// A beat writes one of `pairs` of the entry in `from` cycles or more.
  bool entry(unsigned key, unsigned pairs, int from) const {
    return any([&](const Beat& b) { return b.reg && b.key == key && (b.pairs & pairs) && b.left >= from; });
  }
  bool table() const {
    return any([](const Beat& b) { return b.left > kBeat; });
  }
  /// The table units have taken a beat's first lanes, but not yet all.
  bool table_busy() const {
    return any([](const Beat& b) { return b.left > kTable - kSteps + 1; });
  }
  template <class F>
  bool any(F f) const {
    return std::any_of(beats.begin(), beats.end(), f);
  }
  void pass() {
    for (Beat& b : beats) --b.left;
    std::erase_if(beats, [](const Beat& b) { return b.left == 0; });
  }
};

TEST(Hazard, MakesABeatWaitForWhatItReadsAndForNothingElse) {
  Rng rng(test_seed());
  VerilatedContext context;
  Vweft_pe_hazard dut(&context);
  reset(dut);
  Flight flight;
  unsigned main_waits = 0, psum_waits = 0, issued = 0;
  for (int cycle = 0; cycle < 200000; ++cycle) {
    const unsigned keys = cycle / 1000 % 2 ? 4 : 64;  // few: nearly every beat waits
    const auto key = [&] { return static_cast<CData>((kKeys - 2 + rng.below(keys)) % kKeys); };
    const auto lane = [&](bool memory) {
      return static_cast<CData>(memory && rng.chance(70) ? rng.below(kModuleLanes) : 0);
    };
    dut.main_valid_i = rng.chance(80);
    dut.main_m_re_i = rng.chance(40), dut.main_m_i = key();
    dut.main_b_re_i = rng.chance(30), dut.main_n_re_i = !dut.main_b_re_i && rng.chance(30), dut.main_b_i = key();
    dut.main_c_re_i = rng.chance(40), dut.main_c_i = key();
    dut.main_sfu_i = rng.chance(20);
    const unsigned main_to = rng.below(3);  // memory, the accumulator file, nowhere
    dut.main_mem_i = main_to == 0, dut.main_reg_i = main_to == 1, dut.main_d_i = key();
    dut.main_m_lane_i = lane(true), dut.main_b_lane_i = lane(dut.main_n_re_i), dut.main_d_lane_i = lane(dut.main_mem_i);
    dut.psum_m_lane_i = lane(true);
    dut.psum_valid_i = rng.chance(50);
    dut.psum_m_re_i = rng.chance(40), dut.psum_m_i = key();
    dut.psum_c_re_i = !dut.psum_m_re_i && rng.chance(70), dut.psum_c_i = key();
    dut.psum_one_i = rng.chance(70), dut.psum_pair_i = static_cast<CData>(rng.below(kPairs));
    dut.issue_i = 0;
    dut.eval();

    const bool psum_reads_what_is_written =
        (dut.psum_m_re_i && flight.memory(dut.psum_m_i, dut.psum_m_lane_i)) ||
        (dut.psum_c_re_i && flight.entry(dut.psum_c_i, pairs(dut.psum_one_i, dut.psum_pair_i), 2));
    const bool psum_waits_now = dut.psum_valid_i && (psum_reads_what_is_written || flight.table());
    const bool main_writes_what_psum_reads =
        (dut.psum_m_re_i && dut.main_mem_i && meet(dut.psum_m_i, dut.psum_m_lane_i, dut.main_d_i, dut.main_d_lane_i)) ||
        (dut.psum_c_re_i && dut.main_reg_i && dut.main_d_i == dut.psum_c_i);
    const bool held = psum_waits_now && (psum_reads_what_is_written ? main_writes_what_psum_reads : dut.main_sfu_i);
    const bool main_waits_now =
        dut.main_valid_i && ((dut.main_m_re_i && flight.memory(dut.main_m_i, dut.main_m_lane_i)) ||
                             (dut.main_b_re_i && flight.entry(dut.main_b_i, ~0u, 1)) ||
                             (dut.main_n_re_i && flight.memory(dut.main_b_i, dut.main_b_lane_i)) ||
                             (dut.main_c_re_i && flight.entry(dut.main_c_i, ~0u, 2)) ||
                             (dut.main_sfu_i ? flight.table_busy() : flight.table()) || held);
    ASSERT_EQ(dut.main_wait_o, main_waits_now) << "cycle " << cycle;
    ASSERT_EQ(dut.psum_wait_o, psum_waits_now) << "cycle " << cycle;
    ASSERT_EQ(dut.in_flight_o, !flight.beats.empty());
    ASSERT_EQ(dut.psum_in_flight_o, flight.any([](const Beat& b) { return b.psum; }));
    ASSERT_EQ(dut.end_o, flight.any([](const Beat& b) { return b.left == 1; }));
    main_waits += main_waits_now, psum_waits += psum_waits_now;

    const bool psum = dut.psum_valid_i && !psum_waits_now;
    flight.pass();
    if (psum || (dut.main_valid_i && !main_waits_now)) {
      const bool sfu = !psum && dut.main_sfu_i;
      const unsigned to = psum ? rng.below(3) : main_to;
      dut.issue_i = 1;
      dut.issue_psum_i = psum, dut.issue_sfu_i = sfu;
      dut.issue_mem_i = to == 0, dut.issue_reg_i = to == 1, dut.issue_key_i = psum ? key() : dut.main_d_i;
      dut.issue_lane_i = psum ? lane(to == 0) : dut.main_d_lane_i;
      dut.issue_one_i = psum && rng.chance(70), dut.issue_pair_i = static_cast<CData>(rng.below(kPairs));
      flight.beats.push_back({sfu ? kTable : kBeat, psum, to == 0, to == 1, pairs(dut.issue_one_i, dut.issue_pair_i),
                              dut.issue_key_i, dut.issue_lane_i});
      ++issued;
    }
    clock(dut);
  }
  EXPECT_GT(issued, 50000u);
  EXPECT_GT(main_waits, 10000u);
  EXPECT_GT(psum_waits, 10000u);
}

// Whatever main does: psum's candidate stays, main has another one in each cycle, and all use the same few addresses.
TEST(Hazard, PsumWaitsABoundedTime) {
  Rng rng(test_seed());
  VerilatedContext context;
  Vweft_pe_hazard dut(&context);
  reset(dut);
  dut.main_valid_i = 1;
  unsigned waited = 0, longest = 0;
  for (int cycle = 0; cycle < 200000; ++cycle) {
    const auto key = [&] { return static_cast<CData>(rng.below(2)); };
    const unsigned percent = cycle / 1000 % 4 * 33;  // percentage of table functions
    dut.main_sfu_i = rng.chance(percent);
    dut.main_mem_i = rng.chance(50), dut.main_reg_i = !dut.main_mem_i, dut.main_d_i = key();
    if (waited == 0) {
      dut.psum_valid_i = rng.chance(20);
      dut.psum_m_re_i = rng.chance(50), dut.psum_m_i = key();
      dut.psum_c_re_i = !dut.psum_m_re_i, dut.psum_c_i = key(), dut.psum_one_i = rng.chance(50);
    }
    dut.issue_i = 0;
    dut.eval();
    const bool psum = dut.psum_valid_i && !dut.psum_wait_o;
    waited = dut.psum_valid_i && !psum ? waited + 1 : 0;
    longest = std::max(longest, waited);
    if (psum || !dut.main_wait_o) {
      dut.issue_i = 1, dut.issue_psum_i = psum, dut.issue_sfu_i = !psum && dut.main_sfu_i;
      dut.issue_mem_i = !psum && dut.main_mem_i, dut.issue_reg_i = !psum && dut.main_reg_i;
      dut.issue_key_i = dut.main_d_i, dut.issue_one_i = 0;
    }
    clock(dut);
  }
  EXPECT_EQ(longest, 2u * kTable - kBeat);
}

}  // namespace
}  // namespace weft::test
