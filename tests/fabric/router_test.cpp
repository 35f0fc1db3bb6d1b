/// Delivery: no message is lost or duplicated, and all arrive in order.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/fabric/router_bench.hpp"

namespace weft::test {
namespace {

/// Sends numbered messages over random routes and checks each arrival.
class Scoreboard {
 public:
  Scoreboard(RouterBench& bench, unsigned max_fanout, unsigned empty_percent = 5)
      : bench_(bench), max_fanout_(max_fanout), empty_percent_(empty_percent) {
    for (unsigned i = 0; i < kPorts; ++i) {
      for (unsigned c = 0; c < kColors; ++c) bench.route(i, c, routes_[i][c] = random_outputs(i, c));
    }
    bench.taken = [this](unsigned o, std::uint64_t m) { arrived(o, m); };
  }

  /// One cycle in which, at random, a color with no message in flight gets another route.
  void step() {
    const unsigned i = bench_.rng.below(kPorts), c = bench_.rng.below(kColors);
    const bool reroute = bench_.rng.chance(10) && routes_[i][c] != 0 && complete(i, c);
    if (reroute) {
      const unsigned outputs = random_outputs(i, c);
      bench_.offer_route(i, c, outputs);
      routes_[i][c] = outputs;
      sent_[i][c] = 0;
      for (auto& output : arrived_) output[i][c] = 0;
    }
    bench_.step();
    bench_.router.route_we_i = 0;
  }

  void send(unsigned count) {
    for (unsigned n = 0; n < count; ++n) {
      const unsigned i = bench_.rng.below(kPorts), c = bench_.rng.below(kColors);
      bench_.sender[i].push(message(i, c, sent_[i][c]++));
      if (routes_[i][c] == 0) dropped_ = true;
    }
  }

  /// Every message sent has arrived on every branch.
  bool complete() const {
    for (unsigned i = 0; i < kPorts; ++i) {
      for (unsigned c = 0; c < kColors; ++c) {
        if (!complete(i, c)) return false;
      }
      if (!bench_.sender[i].empty() || !bench_.sender[i].all_credits_home()) return false;
    }
    return true;
  }

  bool dropped() const { return dropped_; }

 private:
  bool complete(unsigned i, unsigned c) const {
    for (unsigned o = 0; o < kPorts; ++o) {
      if ((routes_[i][c] >> o & 1) && arrived_[o][i][c] != sent_[i][c]) return false;
    }
    return true;
  }

  unsigned random_outputs(unsigned i, unsigned c) {
    if (bench_.rng.chance(empty_percent_)) return 0;
    unsigned outputs = 0;
    for (unsigned k = 1 + bench_.rng.below(max_fanout_); k > 0; --k) outputs |= 1u << bench_.rng.below(kPorts);
    return outputs & turns(i, c);
  }

  static std::uint64_t message(unsigned i, unsigned c, unsigned n) {
    const std::uint32_t data = i << 29 | n;
    return pack(((data + c) * 0x9e3779b9u) >> 31, c, data);
  }

  void arrived(unsigned o, std::uint64_t m) {
    const unsigned i = data_of(m) >> 29, c = color_of(m);
    ASSERT_LT(i, kPorts);
    ASSERT_TRUE(routes_[i][c] >> o & 1) << "input " << i << " color " << c << " came out of port " << o;
    ASSERT_EQ(m, message(i, c, arrived_[o][i][c])) << "input " << i << " color " << c << " output " << o;
    ++arrived_[o][i][c];
  }

  RouterBench& bench_;
  const unsigned max_fanout_, empty_percent_;
  unsigned routes_[kPorts][kColors] = {};
  unsigned sent_[kPorts][kColors] = {};
  unsigned arrived_[kPorts][kPorts][kColors] = {};
  bool dropped_ = false;
};

constexpr unsigned kTrials = kColors == 4 && kDepth == 4 ? 300 : 60;

void random_traffic(unsigned max_fanout) {
  const std::uint64_t seed = test_seed();
  for (unsigned trial = 0; trial < kTrials; ++trial) {
    SCOPED_TRACE("trial " + std::to_string(trial));
    RouterBench bench(seed + trial);
    Scoreboard board(bench, max_fanout);
    bench.send_percent = trial % 3 ? 5 + bench.rng.below(96) : 100;
    bench.take_percent = trial % 4 ? 5 + bench.rng.below(96) : 100;
    for (unsigned left = 1500; (left > 0 || !board.complete()) && bench.cycle < 200000;) {
      const unsigned some = std::min(left, bench.rng.below(4));
      board.send(some);
      left -= some;
      board.step();
      if (::testing::Test::HasFatalFailure()) return;
    }
    ASSERT_TRUE(board.complete()) << "messages or credits are missing";
    for (int k = 0; k < 50; ++k) bench.step();
    ASSERT_TRUE(board.complete()) << "too many messages";
    EXPECT_EQ(bench.router.no_route_o, board.dropped());
    EXPECT_EQ(bench.router.bad_color_o, 0);
    EXPECT_EQ(bench.router.bad_route_o, 0);
    EXPECT_EQ(bench.router.awake_o, 0);
    EXPECT_EQ(bench.credits(), RouterBench(0).credits()) << "credits of the outputs are missing";
  }
}

TEST(Router, DeliversUnicastInOrderExactlyOnce) { random_traffic(1); }
TEST(Router, DeliversMulticastInOrderExactlyOnce) { random_traffic(4); }

}  // namespace
}  // namespace weft::test
