/// Throughput: full links, fair shares, and colors and branches that do not wait for each other.
#include <gtest/gtest.h>

#include <memory>

#include "tests/fabric/router_bench.hpp"

namespace weft::test {
namespace {

TEST(Router, OneColorFillsAChainOfRouters) {
  constexpr unsigned kTiles = 5, kMessages = 1000;
  std::vector<std::unique_ptr<RouterBench>> tile;
  for (unsigned t = 0; t < kTiles; ++t) tile.push_back(std::make_unique<RouterBench>(1, t == kTiles - 1 ? 1u << E : 0));
  unsigned arrived[kTiles] = {};
  std::uint64_t last[kTiles] = {};
  std::uint64_t cycle = 0;
  for (unsigned n = 0; n < kMessages; ++n) tile[0]->sender[W].push(pack(n % 7 == 0, 0, n));

  for (; cycle < kMessages + 100; ++cycle) {
    for (auto& b : tile) b->drive();
    // neighbours instead of models between the tiles
    for (unsigned t = 0; t < kTiles; ++t) {
      Vweft_router& r = tile[t]->router;
      if (t > 0) {
        const Vweft_router& west = tile[t - 1]->router;
        r.valid_i = static_cast<CData>((r.valid_i & ~(1u << W)) | (west.valid_o >> E & 1) << W);
        r.msg_i[W] = west.msg_o[E];
      }
      if (t + 1 < kTiles) {
        const unsigned credit = tile[t + 1]->router.credit_o >> (W * kColors) & 15;
        r.credit_i = (r.credit_i & ~(15u << (E * kColors))) | credit << (E * kColors);
      }
    }
    const unsigned first_credit = tile[0]->router.credit_o >> (W * kColors) & 15;
    std::vector<std::pair<bool, std::uint64_t>> ramp;
    for (auto& b : tile) ramp.emplace_back(b->router.valid_o >> RAMP & 1, b->router.msg_o[RAMP]);
    for (auto& b : tile) b->clock();
    tile[0]->sender[W].tick(first_credit, tile[0]->rng);
    for (unsigned t = 0; t < kTiles; ++t) {
      tile[t]->receiver[RAMP].tick(ramp[t].first, ramp[t].second, tile[t]->rng, 100, [&](std::uint64_t m) {
        ASSERT_EQ(m, pack(arrived[t] % 7 == 0, 0, arrived[t]));
        ++arrived[t];
        last[t] = cycle;
      });
    }
  }
  for (unsigned t = 0; t < kTiles; ++t) {
    EXPECT_EQ(arrived[t], kMessages);
    // cycle 0: the sender decides; 2 cycles a router; 1 in the receiver; then one message per cycle
    EXPECT_EQ(last[t], kMessages + 2 * (t + 1) + 1) << "tile " << t;
  }
}

TEST(Router, ABlockedColorDoesNotHoldUpAnother) {
  RouterBench bench(1);
  for (unsigned c : {1u, 2u, 3u}) bench.route(N, c, 1u << S | 1u << RAMP);
  bench.receiver[S].blocked = 1u << 1 | 1u << 3;
  unsigned arrived = 0;
  bench.taken = [&](unsigned o, std::uint64_t m) { arrived += o == S && color_of(m) == 2; };
  for (unsigned n = 0; n < 20; ++n) {
    bench.sender[N].push(pack(false, 1, n));
    bench.sender[N].push(pack(false, 3, n));
  }
  for (int k = 0; k < 60; ++k) bench.step();
  for (unsigned n = 0; n < 500; ++n) bench.sender[N].push(pack(false, 2, n));
  for (int k = 0; k < 504; ++k) bench.step();
  EXPECT_EQ(arrived, 500u);
}

TEST(Router, AContendedColorDoesNotHoldUpAnother) {
  // Colors 0 of N and W compete for E; color 1 of W is alone on its way to S, color 2 of W on its way to the ramp.
  RouterBench bench(1);
  bench.route(N, 0, 1u << E);
  bench.route(W, 0, 1u << E);
  bench.route(W, 1, 1u << S);
  bench.route(W, 2, 1u << RAMP);
  unsigned arrived[kPorts] = {};
  bench.taken = [&](unsigned o, std::uint64_t) { ++arrived[o]; };
  for (unsigned n = 0; n < 3000; ++n) {
    bench.sender[N].push(pack(false, 0, n));
    for (unsigned c : {0u, 1u, 2u}) bench.sender[W].push(pack(false, c, n));
  }
  for (int k = 0; k < 3000; ++k) bench.step();
  // W's link carries one message per cycle, so nearly a third is for each of its colors (the sender chooses at random)
  EXPECT_GT(arrived[S], 600u);
  EXPECT_GT(arrived[RAMP], 600u);
}

TEST(Router, ABlockedBranchDoesNotHoldUpTheOthers) {
  RouterBench bench(1);
  bench.route(E, 3, 1u << W | 1u << N | 1u << RAMP);
  bench.receiver[N].blocked = 15;
  unsigned arrived[kPorts] = {};
  bench.taken = [&](unsigned o, std::uint64_t) { ++arrived[o]; };
  for (unsigned n = 0; n < 20; ++n) bench.sender[E].push(pack(false, 3, n));
  for (int k = 0; k < 100; ++k) bench.step();
  // 4 wait in the blocked receiver, 4 in the router; the first of those continued along its other branches
  EXPECT_EQ(arrived[W], 5u);
  EXPECT_EQ(arrived[RAMP], 5u);
  EXPECT_EQ(bench.router.awake_o, 0) << "a router that can only wait sleeps";
  bench.receiver[N].blocked = 0;
  for (int k = 0; k < 100; ++k) bench.step();
  EXPECT_EQ(arrived[N], 20u);
  EXPECT_EQ(arrived[W], 20u);
  EXPECT_EQ(arrived[RAMP], 20u);
}

TEST(Router, InputsShareAnOutputEvenly) {
  for (unsigned inputs = 1; inputs < 32; ++inputs) {
    SCOPED_TRACE("inputs " + std::to_string(inputs));
    RouterBench bench(1);
    const unsigned count = static_cast<unsigned>(__builtin_popcount(inputs));
    unsigned arrived[kPorts] = {};
    bench.taken = [&](unsigned, std::uint64_t m) { ++arrived[data_of(m)]; };
    for (unsigned i = 0; i < kPorts; ++i) {
      // every input its own color, or two of the same
      const unsigned c = i % kColors;
      bench.route(i, c, 1u << S);
      for (unsigned n = 0; n < 400 && (inputs >> i & 1); ++n) bench.sender[i].push(pack(false, c, i));
    }
    for (int k = 0; k < 304; ++k) bench.step();
    unsigned total = 0;
    for (unsigned i = 0; i < kPorts; ++i) {
      total += arrived[i];
      if ((inputs >> i & 1) == 0) continue;
      EXPECT_NEAR(arrived[i], 300.0 / count, 1.01) << "input " << i;
    }
    EXPECT_EQ(total, 300u);
  }
}

TEST(Router, ColorsShareAnOutputEvenly) {
  RouterBench bench(1);
  unsigned arrived[kColors] = {};
  bench.taken = [&](unsigned, std::uint64_t m) { ++arrived[color_of(m)]; };
  for (unsigned c = 0; c < kColors; ++c) {
    bench.route(W, c, 1u << E);
    for (unsigned n = 0; n < 1000; ++n) bench.sender[W].push(pack(false, c, n));
  }
  for (int k = 0; k < 1004; ++k) bench.step();
  unsigned total = 0;
  for (unsigned c = 0; c < kColors; ++c) {
    EXPECT_NEAR(arrived[c], 250, 40) << "color " << c;  // the sender chooses at random
    total += arrived[c];
  }
  EXPECT_EQ(total, 1000u);
}

}  // namespace
}  // namespace weft::test
