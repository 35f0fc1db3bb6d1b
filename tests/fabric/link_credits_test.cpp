/// Counters of credits against integers: random takes and returns of all pairs at once.
#include <gtest/gtest.h>

#include <array>

#include "Vweft_link_credits.h"
#include "tests/clock.hpp"
#include "tests/fabric/link_model.hpp"

namespace weft::test {
namespace {

TEST(LinkCredits, CountEveryPairForItself) {
  constexpr unsigned kPairs = 4;  // the module's default
  Rng rng(test_seed());
  VerilatedContext context;
  Vweft_link_credits dut(&context);
  reset(dut);
  std::array<unsigned, kPairs> left;
  left.fill(kDepth);
  unsigned empty = 0, both = 0;
  for (int cycle = 0; cycle < 20000; ++cycle) {
    const unsigned busy = cycle / 100 % 3 == 0 ? 90 : 50;  // now and then all credits are out
    unsigned take = 0, credit = 0;
    for (unsigned p = 0; p < kPairs; ++p) {
      ASSERT_EQ(dut.avail_o >> p & 1, left[p] > 0) << "pair " << p << " in cycle " << cycle;
      empty += left[p] == 0;
      const bool takes = left[p] > 0 && rng.chance(busy), returns = left[p] < kDepth && rng.chance(50);
      both += takes && returns;
      take |= unsigned{takes} << p;
      credit |= unsigned{returns} << p;
      left[p] += unsigned{returns} - unsigned{takes};
    }
    dut.take_i = static_cast<CData>(take);
    dut.credit_i = static_cast<CData>(credit);
    clock(dut);
  }
  EXPECT_GT(empty, 1000u);
  EXPECT_GT(both, 1000u);
}

}  // namespace
}  // namespace weft::test
