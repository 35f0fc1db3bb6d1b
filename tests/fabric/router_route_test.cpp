/// Routing: messages without a route or of no color, the route after reset, and a change of route.
#include <gtest/gtest.h>

#include "tests/fabric/router_bench.hpp"

namespace weft::test {
namespace {

constexpr unsigned kAny = kColors / 2;  // a color; if there are several, not W

TEST(Router, DropsAndFlagsAMessageWithoutARoute) {
  RouterBench bench(1);
  unsigned arrived = 0;
  bench.taken = [&](unsigned, std::uint64_t) { ++arrived; };
  for (unsigned n = 0; n < 10; ++n) bench.sender[N].push(pack(false, kAny, n));
  for (int k = 0; k < 30; ++k) bench.step();
  EXPECT_EQ(arrived, 0u);
  EXPECT_TRUE(bench.sender[N].empty());
  EXPECT_TRUE(bench.sender[N].all_credits_home());
  EXPECT_EQ(bench.router.no_route_o, 1);
  EXPECT_EQ(bench.router.bad_color_o, 0);
}

TEST(Router, DropsAndFlagsAColorThatIsNotBuilt) {
  for (unsigned port : {N, E, S, W, RAMP}) {
    for (unsigned color = kColors; color < 32; ++color) {
      RouterBench bench(1);
      bench.sender[port].valid = true;  // the sender has no queue of this color either
      bench.sender[port].msg = pack(false, color, 7);
      bench.taken = [](unsigned, std::uint64_t) { FAIL() << "something came out"; };
      for (int k = 0; k < 30; ++k) bench.step();
      EXPECT_EQ(bench.router.bad_color_o, 1) << "port " << port;
      EXPECT_EQ(bench.router.no_route_o, 0);
      EXPECT_EQ(bench.router.awake_o, 0);
    }
  }
}

TEST(Router, AColorThatIsNotBuiltDoesNotTouchTheOthersMessages) {
  RouterBench bench(1);
  unsigned arrived[kColors] = {};
  bench.taken = [&](unsigned, std::uint64_t m) {
    EXPECT_EQ(m, pack(false, color_of(m), 100 * color_of(m) + arrived[color_of(m)]));
    ++arrived[color_of(m)];
  };
  bench.receiver[E].blocked = kAllColors;
  for (unsigned c = 0; c < kColors; ++c) {
    bench.route(W, c, 1u << E);
    for (unsigned n = 0; n < 3 * kDepth; ++n) bench.sender[W].push(pack(false, c, 100 * c + n));
  }
  for (unsigned k = 0; k < 40 * kColors * kDepth; ++k) bench.step();  // now every buffer is full
  for (unsigned color = kColors; color < 32; ++color) {
    bench.sender[W].valid = true;
    bench.sender[W].msg = pack(true, color, ~0u);
    bench.step();
  }
  bench.receiver[E].blocked = 0;
  for (unsigned k = 0; k < 40 * kColors * kDepth; ++k) bench.step();
  for (unsigned c = 0; c < kColors; ++c) EXPECT_EQ(arrived[c], 3 * kDepth);
  EXPECT_EQ(bench.router.bad_color_o, kColors < 32);
}

TEST(Router, SendsColorWEastAndToTheRampAfterReset) {
  for (bool last_col : {false, true}) {
    RouterBench bench(1, last_col ? 1u << E : 0);
    std::vector<unsigned> ports;
    bench.taken = [&](unsigned o, std::uint64_t m) {
      EXPECT_EQ(m, pack(true, 0, 0x01020304));
      ports.push_back(o);
    };
    bench.sender[W].push(pack(true, 0, 0x01020304));
    for (int k = 0; k < 30; ++k) bench.step();
    EXPECT_EQ(ports, last_col ? std::vector<unsigned>{RAMP} : (std::vector<unsigned>{E, RAMP}));
    EXPECT_EQ(bench.router.no_route_o, 0);
  }
}

#if WEFT_DEPTH >= 4  // one color alone fills a link
TEST(Router, FollowsANewRouteFromOneMessageToTheNext) {
  for (unsigned delay = 0; delay < 20; ++delay) {
    RouterBench bench(1);
    bench.route(N, kAny, 1u << S);
    unsigned next = 0, arrived[kPorts] = {};
    bench.taken = [&](unsigned o, std::uint64_t m) {
      ASSERT_EQ(m, pack(false, kAny, next)) << "port " << o;
      ++next;
      ++arrived[o];
    };
    for (unsigned n = 0; n < 100; ++n) bench.sender[N].push(pack(false, kAny, n));
    const auto reroute = [&](unsigned outputs) {
      bench.offer_route(N, kAny, outputs);
      bench.step();
      bench.router.route_we_i = 0;
    };
    for (unsigned k = 0; k < 10 + delay; ++k) bench.step();
    reroute(1u << E);
    for (unsigned k = 0; k < 40; ++k) bench.step();
    // sent to E from cycle 2 after the write on; until then to S
    EXPECT_EQ(arrived[S], 10 + delay);
    EXPECT_EQ(bench.router.no_route_o, 0);
    reroute(0);
    for (unsigned k = 0; k < 100; ++k) bench.step();
    EXPECT_LT(next, 100u);
    EXPECT_TRUE(bench.sender[N].all_credits_home());
    EXPECT_EQ(bench.router.no_route_o, 1);
    EXPECT_EQ(arrived[S] + arrived[E], next);
  }
}
#endif

}  // namespace
}  // namespace weft::test
