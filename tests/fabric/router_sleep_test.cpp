/// A sleeping router keeps its state: an edge without input changes no register, whatever came before.
#include <gtest/gtest.h>

#include "Vweft_router_registers.hpp"
#include "tests/fabric/router_bench.hpp"
#include "tests/registers.hpp"

namespace weft::test {
namespace {

/// Good and bad messages of all colors, good and bad routes, blocking receivers.
class AnyTraffic {
 public:
  explicit AnyTraffic(RouterBench& bench) : bench_(bench), rng_(bench.rng) {
    bench.send_percent = 30;
    bench.take_percent = 40;
  }

  void step() {
    if (rng_.chance(2)) bench_.receiver[rng_.below(kPorts)].blocked = rng_.below(2 * kAllColors) & kAllColors;
    if (rng_.chance(5)) {
      const unsigned input = rng_.below(kPorts);
      bench_.sender[input].push(pack(rng_.chance(50), rng_.below(kColors), static_cast<std::uint32_t>(rng_.next())));
    }
    bench_.router.route_we_i = rng_.chance(3);
    if (bench_.router.route_we_i)
      bench_.offer_route(rng_.below(8), rng_.below(kColors + 1), rng_.below(32), rng_.chance(90) ? 0 : rng_.below(8));
    const unsigned input = rng_.below(kPorts);
    if (rng_.chance(1) && !bench_.sender[input].valid) {  // the sender has no queue of this color either
      bench_.sender[input].valid = true;
      bench_.sender[input].msg = pack(false, kColors + rng_.below(32 - kColors), 7);
    }
    bench_.step();
    bench_.router.route_we_i = 0;
  }

 private:
  RouterBench& bench_;
  Rng& rng_;
};

TEST(RouterSleep, AnEdgeChangesNoRegister) {
  const std::uint64_t seed = test_seed();
  unsigned asleep = 0, flags = 0;
  for (unsigned trial = 0; trial < 60; ++trial) {
    SCOPED_TRACE("trial " + std::to_string(trial));
    RouterBench bench(seed + trial);
    AnyTraffic traffic(bench);
    for (unsigned k = 0; k < 1000; ++k) {
      traffic.step();
      auto& router = bench.router;
      router.valid_i = 0;
      sim::clear_bits(router.credit_i);
      router.eval();
      if (router.awake_o) continue;
      ++asleep;
      ASSERT_EQ(changed_by_an_edge(router), "") << "cycle " << k;
    }
    flags |= bench.router.no_route_o | bench.router.bad_color_o << 1 | bench.router.bad_route_o << 2;
  }
  EXPECT_EQ(flags, 7u);
  EXPECT_GT(asleep, 10000u);
}

/// Leaving out its idle clock edges changes nothing that is visible either.
TEST(RouterSleep, ARouterThatIsLeftOutDoesTheSame) {
  const std::uint64_t seed = test_seed();
  RouterBench always(seed), lazy(seed);
  lazy.skip_idle = true;
  AnyTraffic all(always), some(lazy);
  unsigned skipped = 0;
  for (unsigned k = 0; k < 50000; ++k) {
    all.step();
    some.step();
    skipped += lazy.stood_still;
    ASSERT_EQ(registers(always.router), registers(lazy.router)) << "cycle " << k;
    for (unsigned p = 0; p < kPorts; ++p) ASSERT_EQ(always.router.msg_o[p], lazy.router.msg_o[p]);
  }
  EXPECT_GT(skipped, 1000u);
}

}  // namespace
}  // namespace weft::test
