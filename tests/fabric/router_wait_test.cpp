/// Waiting time of a message for an output that it has a credit for: the bound of rtl/fabric/weft_router.sv, and exact
/// shares.
#include <gtest/gtest.h>

#include "tests/fabric/router_bench.hpp"

namespace weft::test {
namespace {

/// Most cycles in which a message has a credit for an output and is not granted it.
constexpr unsigned kBound = (kColors + 1) * kPorts - 2;

std::uint64_t message(unsigned input, unsigned color, unsigned n) { return pack(n & 1, color, input << 29 | n); }

/// Messages from two inputs, as many as the links carry: colors [0, shared) of both go to `out`, the others to `aside`.
struct Contest {
  Contest(unsigned a, unsigned b, unsigned out, unsigned aside, unsigned shared) {
    bench.measure = true;
    for (unsigned i : {a, b}) {
      bench.sender[i].in_turn = true;
      for (unsigned c = 0; c < kColors; ++c) {
        bench.route(i, c, 1u << (c < shared ? out : aside));
        for (unsigned n = 0; n < kCycles; ++n) bench.sender[i].push(message(i, c, n));
      }
    }
    bench.taken = [this, out](unsigned o, std::uint64_t m) {
      if (o == out) ++arrived[data_of(m) >> 29];
    };
    for (unsigned k = 0; k < kCycles; ++k) bench.step();
  }

  static constexpr unsigned kCycles = 600;
  RouterBench bench{1};
  std::array<unsigned, kPorts> arrived{};
};

template <class F>
void for_all_pairs(F f) {
  for (unsigned out = 0; out < kPorts; ++out)
    for (unsigned b = 0; b < kPorts; ++b)
      for (unsigned a = 0; a < b; ++a) f(a, b, out);
}

TEST(RouterWait, TwoInputsShareAnOutputEvenly) {
  for_all_pairs([](unsigned a, unsigned b, unsigned out) {
    SCOPED_TRACE(testing::Message() << "inputs " << a << " and " << b << ", output " << out);
    const Contest contest(a, b, out, out, kColors);
    if (kColors * kDepth >= 4) {  // enough to fill a link
      EXPECT_EQ(contest.arrived[a] + contest.arrived[b], Contest::kCycles - 4);
    }
    EXPECT_NEAR(contest.arrived[a], contest.arrived[b], 1);
  });
}

TEST(RouterWait, OtherTrafficTakesNoShare) {
  for_all_pairs([](unsigned a, unsigned b, unsigned out) {
    for (unsigned aside = 0; aside < kPorts; ++aside) {
      for (const unsigned shared : {1u, kColors / 2, kColors - 1}) {
        if (aside == out || shared == 0 || shared >= kColors) continue;
        SCOPED_TRACE(testing::Message() << "inputs " << a << " and " << b << ", output " << out << ", " << shared
                                        << " colors, others to " << aside);
        const Contest contest(a, b, out, aside, shared);
        EXPECT_NEAR(contest.arrived[a], contest.arrived[b], 1);
        EXPECT_GT(contest.arrived[a], Contest::kCycles / (2 * kColors));
        EXPECT_LE(contest.bench.waits.longest_cycles(), 2 * kColors);
      }
    }
  });
}

/// Multicasts, receivers of all speeds, colors that compete for credits.
TEST(RouterWait, MessageWaitIsWithinTheBound) {
  const std::uint64_t seed = test_seed();
  unsigned longest = 0;
  for (unsigned trial = 0; trial < 200; ++trial) {
    SCOPED_TRACE("trial " + std::to_string(trial));
    RouterBench bench(seed + trial);
    bench.measure = true;
    bench.take_percent = trial % 2 ? 20 + bench.rng.below(81) : 100;
    const unsigned fanout = 1 + trial % 4, outputs = 1 + bench.rng.below(kPorts);
    for (unsigned i = 0; i < kPorts; ++i) {
      for (unsigned c = 0; c < kColors; ++c) {
        unsigned route = 0;
        for (unsigned k = 0; k < fanout; ++k) route |= 1u << bench.rng.below(outputs);
        bench.route(i, c, route);
        for (unsigned n = 0; n < 600; ++n) bench.sender[i].push(message(i, c, n));
      }
    }
    for (unsigned k = 0; k < 600; ++k) bench.step();
    longest = std::max(longest, bench.waits.longest_cycles());
    ASSERT_LE(bench.waits.longest_grants(), bench.waits.longest_cycles());
    ASSERT_LE(bench.waits.longest_cycles(), kBound);
  }
  std::printf("the longest wait was %u cycles, the bound is %u\n", longest, kBound);
  EXPECT_GE(longest, kColors > 1 ? kPorts - 1 : 1u) << "nobody had to wait for its turn";
}

#if WEFT_COLORS > 1
/// The ramp's color 0 goes to N and E. In one cycle N has a credit for it, in the next E: each time W's or S's color 0
/// is quicker, and color 1 of others makes the outputs forget who waited. Color 0 therefore requests in every cycle and
/// is granted nothing.
TEST(RouterWait, AColorThatIsAlwaysRefusedLetsTheOthersGo) {
  for (unsigned phase = 0; phase < 4; ++phase) {
    SCOPED_TRACE(phase);
    RouterBench bench(1);
    bench.measure = true;
    const auto stream = [&](unsigned input, unsigned color, unsigned outputs) {
      bench.route(input, color, outputs);
      for (unsigned n = 0; n < 600; ++n) bench.sender[input].push(message(input, color, n));
    };
    bench.route(RAMP, 0, 1u << N | 1u << E);
    bench.route(RAMP, 1, 1u << S);
    stream(N, 1, 1u << N);
    stream(E, 0, 1u << N);
    stream(S, 1, 1u << E);
    stream(W, 0, 1u << E);
    for (unsigned k = 0; k < 500; ++k) {
      bench.receiver[N].blocked = k < 50 || (k + phase) % 2;  // at first until all credits are used up
      bench.receiver[E].blocked = k < 50 || (k + phase / 2) % 2;
      bench.step();
      if (k != 100) continue;
      for (unsigned n = 0; n < 200; ++n)
        for (unsigned c : {0u, 1u}) bench.sender[RAMP].push(message(RAMP, c, n));
    }
    EXPECT_LE(bench.waits.longest_cycles(), kBound);
  }
}
#endif

}  // namespace
}  // namespace weft::test
