/// The round-robin arbiter of colors and the arbiter of outputs against a plain round robin.
#include <gtest/gtest.h>

#include "Vweft_router_arbiter.h"
#include "Vweft_rr_arbiter.h"
#include "tests/clock.hpp"
#include "tests/fabric/link_model.hpp"

namespace weft::test {
namespace {

/// The first request above the last choice, else the lowest; -1 for none.
class RoundRobin {
 public:
  explicit RoundRobin(int count) : count_(count) {}
  int pick(unsigned requests) const {
    for (int k = 1; k <= count_; ++k)
      if (requests >> ((last_ + k + count_) % count_) & 1) return (last_ + k + count_) % count_;
    return -1;
  }
  void chose(int request) { last_ = request; }
  /// The request comes first the next time.
  void held(int request) { last_ = request - 1; }

 private:
  int count_;
  int last_ = count_ - 1;
};

TEST(RrArbiter, TakesTurnsAmongTheRequestsAndHoldsOne) {
  Rng rng(test_seed());
  VerilatedContext context;
  Vweft_rr_arbiter dut(&context);
  reset(dut);
  RoundRobin expected(kColors);
  int held = -1, again = 0, lost = 0;
  for (int cycle = 0; cycle < 10000; ++cycle) {
    const unsigned requests = rng.below(1u << kColors);
    dut.request_i = static_cast<CData>(requests);
    dut.lock_i = rng.chance(50);
    dut.eval();
    const int pick = expected.pick(requests);
    ASSERT_EQ(dut.pick_o, pick < 0 ? 0u : 1u << pick) << "cycle " << cycle;
    ASSERT_EQ(dut.again_o, pick >= 0 && pick == held) << "cycle " << cycle;
    again += dut.again_o;
    lost += pick >= 0 && held >= 0 && pick != held;
    if (pick >= 0 && dut.lock_i) expected.held(pick), held = pick;
    if (pick >= 0 && !dut.lock_i) expected.chose(pick), held = -1;
    clock(dut);
  }
  EXPECT_GT(again, 1000);
  EXPECT_GT(lost, 1000);
}

TEST(RouterArbiter, GivesEachOutputToItsInputsInTurn) {
  constexpr int kPorts = 5;
  Rng rng(test_seed());
  VerilatedContext context;
  Vweft_router_arbiter dut(&context);
  reset(dut);
  std::vector<RoundRobin> expected(kPorts, RoundRobin(kPorts));
  for (int cycle = 0; cycle < 10000; ++cycle) {
    unsigned requests = 0;  // bit input * 5 + output
    const unsigned density = cycle % 3 ? 30 : 80;
    for (int i = 0; i < kPorts * kPorts; ++i) requests |= unsigned{rng.chance(density)} << i;
    if (rng.chance(10)) requests = 0;
    dut.request_i = requests;
    dut.eval();
    unsigned grant = 0, sent = 0;
    for (int o = 0; o < kPorts; ++o) {
      unsigned inputs = 0;
      for (int i = 0; i < kPorts; ++i) inputs |= (requests >> (i * kPorts + o) & 1) << i;
      const int pick = expected[o].pick(inputs);
      if (pick < 0) continue;
      grant |= 1u << (pick * kPorts + o);
      sent |= 1u << o;
      expected[o].chose(pick);
    }
    ASSERT_EQ(dut.grant_o, grant) << "cycle " << cycle;
    ASSERT_EQ(dut.sent_o, sent);
    clock(dut);
  }
}

}  // namespace
}  // namespace weft::test
