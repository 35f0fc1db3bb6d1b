/// Which beat has to wait for which, against a list of the beats in flight.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "Vpe_hazard.h"
#include "tests/clock.hpp"
#include "tests/random.hpp"

namespace weft::test {
namespace {

constexpr unsigned kPairs = 2;  // the module's default: four lanes

/// A set of pairs of lanes: one, or all.
unsigned pairs(bool one, unsigned pair) { return one ? 1u << pair : (1u << kPairs) - 1; }

struct Beat {
  int left;  ///< cycles until it writes; in the last one it is 1
  bool psum, mem, reg;
  unsigned pairs;
  unsigned key;
};

class Flight {
 public:
  std::vector<Beat> beats;

  bool memory(unsigned key) const {
    return any([&](const Beat& b) { return b.mem && b.key == key; });
  }
  /// Someone writes one of `pairs` of the entry in `from` cycles or more.
  bool entry(unsigned key, unsigned pairs, int from) const {
    return any([&](const Beat& b) { return b.reg && b.key == key && (b.pairs & pairs) && b.left >= from; });
  }
  bool table() const {
    return any([](const Beat& b) { return b.left >= 7; });
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
  Dice dice(test_seed());
  VerilatedContext context;
  Vpe_hazard dut(&context);
  reset(dut);
  Flight flight;
  unsigned main_waits = 0, psum_waits = 0, issued = 0;
  for (int cycle = 0; cycle < 200000; ++cycle) {
    const unsigned keys = cycle / 1000 % 2 ? 4 : 64;  // few: nearly every beat waits
    const auto key = [&] { return static_cast<CData>(dice.below(keys)); };
    dut.main_valid_i = dice.chance(80);
    dut.main_m_re_i = dice.chance(40), dut.main_m_i = key();
    dut.main_b_re_i = dice.chance(30), dut.main_b_i = key();
    dut.main_c_re_i = dice.chance(40), dut.main_c_i = key();
    dut.main_sfu_i = dice.chance(20);
    dut.psum_valid_i = dice.chance(50);
    dut.psum_m_re_i = dice.chance(40), dut.psum_m_i = key();
    dut.psum_c_re_i = !dut.psum_m_re_i && dice.chance(70), dut.psum_c_i = key();
    dut.psum_one_i = dice.chance(70), dut.psum_pair_i = static_cast<CData>(dice.below(kPairs));
    dut.issue_i = 0;
    dut.eval();

    const bool main_waits_now =
        dut.main_valid_i &&
        ((dut.main_m_re_i && flight.memory(dut.main_m_i)) || (dut.main_b_re_i && flight.entry(dut.main_b_i, ~0u, 1)) ||
         (dut.main_c_re_i && flight.entry(dut.main_c_i, ~0u, 3)) || (!dut.main_sfu_i && flight.table()));
    const bool psum_waits_now =
        dut.psum_valid_i &&
        ((dut.psum_m_re_i && flight.memory(dut.psum_m_i)) ||
         (dut.psum_c_re_i && flight.entry(dut.psum_c_i, pairs(dut.psum_one_i, dut.psum_pair_i), 3)) || flight.table());
    ASSERT_EQ(dut.main_wait_o, main_waits_now) << "cycle " << cycle;
    ASSERT_EQ(dut.psum_wait_o, psum_waits_now) << "cycle " << cycle;
    ASSERT_EQ(dut.main_flying_o, flight.any([](const Beat& b) { return !b.psum; }));
    ASSERT_EQ(dut.psum_flying_o, flight.any([](const Beat& b) { return b.psum; }));
    ASSERT_EQ(dut.end_o, flight.any([](const Beat& b) { return b.left == 1; }));
    main_waits += main_waits_now, psum_waits += psum_waits_now;

    const bool psum = dut.psum_valid_i && !psum_waits_now;
    flight.pass();
    if (psum || (dut.main_valid_i && !main_waits_now)) {
      const bool sfu = !psum && dut.main_sfu_i;
      const unsigned to = dice.below(3);  // memory, the accumulator file, nowhere
      dut.issue_i = 1;
      dut.issue_psum_i = psum, dut.issue_sfu_i = sfu;
      dut.issue_mem_i = to == 0, dut.issue_reg_i = to == 1, dut.issue_key_i = key();
      dut.issue_one_i = psum && dice.chance(70), dut.issue_pair_i = static_cast<CData>(dice.below(kPairs));
      flight.beats.push_back(
          {sfu ? 8 : 6, psum, to == 0, to == 1, pairs(dut.issue_one_i, dut.issue_pair_i), dut.issue_key_i});
      ++issued;
    }
    clock(dut);
  }
  EXPECT_GT(issued, 50000u);
  EXPECT_GT(main_waits, 10000u);
  EXPECT_GT(psum_waits, 10000u);
}

}  // namespace
}  // namespace weft::test
