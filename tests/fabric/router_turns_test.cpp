/// Routes that the router rejects, and queues that are not built.
#include <gtest/gtest.h>

#include "tests/fabric/router_bench.hpp"

namespace weft::test {
namespace {

/// True if a route is acceptable; `edges` are the ports N, E, S without a neighbour.
bool good(unsigned port, unsigned color, unsigned between, unsigned outputs, unsigned edges) {
  return port < kPorts && between == 0 && (outputs & edges) == 0 && (outputs & ~turns(port, color)) == 0;
}

/// Sends a message of (port, color); returns the outputs where it leaves, a bit for each.
unsigned follow(RouterBench& bench, unsigned port, unsigned color) {
  unsigned outputs = 0;
  bench.taken = [&](unsigned o, std::uint64_t m) {
    EXPECT_EQ(m, pack(true, color, 77));
    outputs |= 1u << o;
  };
  bench.sender[port].push(pack(true, color, 77));
  for (int k = 0; k < 20; ++k) bench.step();
  EXPECT_TRUE(bench.sender[port].all_credits_home());
  return outputs;
}

TEST(RouterTurns, ARouteThatIsNotThereIsFlaggedAndChangesNothing) {
  Rng rng(test_seed());
  unsigned taken = 0, refused = 0;
  for (unsigned trial = 0; trial < 2000; ++trial) {
    const unsigned edges = rng.below(8), port = rng.below(trial % 4 ? 5 : 8),
                   color = rng.below(trial % 2 ? kColors : 32);
    const unsigned between = trial % 5 ? 0 : rng.below(8),
                   outputs = rng.below(32) & (trial % 3 ? 31 : turns(port, color % kColors));
    SCOPED_TRACE(testing::Message() << "edges " << edges << ", port " << port << ", color " << color
                                    << ", bits between " << between << ", outputs " << outputs);
    RouterBench bench(trial, edges);
    const unsigned before = port < kPorts && color < kColors ? turns(port, color) & ~edges : 0;
    if (before != 0) bench.route(port, color, before);
    bench.offer_route(port, color, outputs, between);
    bench.step();
    bench.router.route_we_i = 0;
    bench.step();
    const bool color_built = color < kColors, fits = color_built && good(port, color, between, outputs, edges);
    ASSERT_EQ(bench.router.bad_color_o, !color_built);
    ASSERT_EQ(bench.router.bad_route_o, color_built && !fits);
    (fits ? taken : refused) += 1;
    if (port >= kPorts || !color_built) continue;
    ASSERT_EQ(follow(bench, port, color), fits ? outputs : before);
    for (unsigned p = 0; p < kPorts; ++p) {
      const bool after_reset = p == W && color == 0;
      if (p != port && !after_reset) {
        ASSERT_EQ(follow(bench, p, color), 0u) << "another port's route";
      }
    }
    ASSERT_EQ(bench.router.bad_route_o, !fits) << "sticky";
  }
  EXPECT_GT(taken, 200u);
  EXPECT_GT(refused, 200u);
}

TEST(RouterTurns, AfterResetWIsRoutedWhereItCanBe) {
  for (unsigned edges = 0; edges < 8; ++edges) {
    RouterBench bench(1, edges);
    EXPECT_EQ(follow(bench, W, 0), (1u << E | 1u << RAMP) & turns(W, 0) & ~edges);
  }
}

TEST(RouterTurns, AMessageWithoutItsQueueIsDroppedAndCredited) {
  for (unsigned port = 0; port < kPorts; ++port) {
    for (unsigned color = 0; color < kColors; ++color) {
      if (turns(port, color) != 0) continue;
      SCOPED_TRACE(testing::Message() << "port " << port << ", color " << color);
      RouterBench bench(1);
      bench.taken = [](unsigned, std::uint64_t) { FAIL() << "something came out"; };
      for (unsigned n = 0; n < 5 * kDepth; ++n) bench.sender[port].push(pack(n & 1, color, n));
      for (int k = 0; k < 50; ++k) bench.step();
      EXPECT_TRUE(bench.sender[port].empty());
      EXPECT_TRUE(bench.sender[port].all_credits_home());
      EXPECT_EQ(bench.router.no_route_o, 1);
      EXPECT_EQ(bench.router.bad_color_o, 0);
      EXPECT_EQ(bench.router.awake_o, 0);
    }
  }
}

}  // namespace
}  // namespace weft::test
