/// The certificate checker accepts valid orders and rejects all others.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "sw/compiler/program/load.hpp"
#include "sw/compiler/stream/expand.hpp"
#include "sw/deadlock/check.hpp"
#include "tests/cosim/tiny.hpp"
#include "tests/random.hpp"

namespace weft::deadlock {
namespace {

/// Row 0 sends `words` words to row 1, which takes them.
struct Pair {
  explicit Pair(std::uint32_t words) {
    using Kind = Event::Kind;
    const auto psum = [&](Event e) {
      return Trace{{{.kind = Kind::Command, .n = 2}, {.kind = Kind::Fork}, {.kind = Kind::Join}},
                   {e, {.kind = Kind::Halted}, {.kind = Kind::End}}};
    };
    traces[0] = psum({.kind = Kind::Words, .n = words, .cout = 1, .sends = 1});
    traces[1] = psum({.kind = Kind::Words, .n = words, .cin = 1, .takes = 1});
    for (auto& routes : both) {
      for (auto& port : routes) port.assign(4, 0);
      routes[3][0] = 16;
    }
    both[0][4][1] = 4;
    both[1][0][1] = 16;
    n.shape = {.rows = 2, .cols = 1};
    for (std::size_t t = 0; t < 2; ++t) {
      n.routes.push_back(&both[t]);
      n.traces.push_back(&traces[t]);
      n.programs.push_back(&none);
    }
    n.valves = {{Network::kCommand, Network::kCommand}};
  }
  Trace traces[2];
  Routes both[2];
  std::vector<std::uint32_t> none;
  Network n;
};

TEST(Verify, TakesTheSchedulersOrder) {
  Pair pair(100);
  Order order;
  ASSERT_TRUE(schedule(pair.n, order).done);
  EXPECT_EQ(verify(pair.n, order), "");
}

TEST(Verify, RefusesAnOrderForDeeperLinks) {
  Pair pair(100);
  Order order;
  ASSERT_TRUE(schedule(pair.n, order).done);
  pair.n.depth = 2;
  EXPECT_NE(verify(pair.n, order).find("a buffer of 2 would hold 3"), std::string::npos);
}

/// Orders as long as GPT-2's do not fit into memory as a whole.
TEST(Verify, AnOrderArrivesInParts) {
  const Pair pair(200000);
  Order whole, pieces;
  ASSERT_TRUE(schedule(pair.n, whole).done);
  ASSERT_GT(whole.size(), 2 * kOrderPiece);
  Verifier verifier(pair.n);
  const auto outcome = schedule(pair.n, [&](std::span<const Step> steps) {
    EXPECT_LE(steps.size(), kOrderPiece);
    verifier.apply(steps);
    pieces.insert(pieces.end(), steps.begin(), steps.end());
  });
  EXPECT_TRUE(outcome.done);
  EXPECT_EQ(verifier.end(), "");
  const auto same = [](const Step& a, const Step& b) { return a.agent == b.agent && a.n == b.n; };
  EXPECT_TRUE(std::ranges::equal(pieces, whole, same));

  Verifier cut(pair.n);
  cut.apply(std::span(whole).first(kOrderPiece));
  EXPECT_NE(cut.end().find("step " + std::to_string(kOrderPiece) + ": "), std::string::npos);
  Verifier swapped(pair.n);
  swapped.apply(std::span(whole).first(kOrderPiece));
  swapped.apply(std::span(whole).subspan(kOrderPiece + 1));
  EXPECT_NE(swapped.end(), "");
}

/// Steps with a number too high or too low, a missing step, and the reversed order.
TEST(Verify, RefusesOrdersThatAreNone) {
  test::Rng rng(test::test_seed());
  Pair pair(40);
  Order good;
  ASSERT_TRUE(schedule(pair.n, good).done);
  for (int i = 0; i < 500; ++i) {
    Order bad = good;
    Step& step = bad[rng.below(static_cast<unsigned>(bad.size()))];
    const unsigned kind = rng.below(3);
    if (kind == 0) ++step.n;
    if (kind == 1) --step.n;
    if (kind == 2) bad.erase(bad.begin() + (&step - bad.data()));
    EXPECT_NE(verify(pair.n, bad), "") << "case " << i;
  }
  Order reversed(good.rbegin(), good.rend());
  EXPECT_NE(verify(pair.n, reversed), "");
}

/// By Kahn's theorem, a network's final state does not depend on the schedule, and neither does the verdict. The order
/// of all phases of a micro-batch is the same tile by tile and row by row.
TEST(Check, ReadsTilesAsItReadsRows) {
  const cosim::Tiny tiny({.rows = 3, .cols = 2, .valves = 2}, cosim::tiny_model());
  const Input input = deadlock::input_of(tiny.plan);
  Watch tiles;
  tiles.by_tile = true;
  const Result a = check(input), b = check(input, tiles);
  EXPECT_TRUE(a.certified()) << a.phases.back().problem;
  EXPECT_TRUE(b.certified()) << b.phases.back().problem;
  ASSERT_EQ(a.phases.size(), b.phases.size());
  for (std::size_t i = 0; i < a.phases.size(); ++i) {
    EXPECT_EQ(a.phases[i].steps, b.phases[i].steps) << a.phases[i].name;
    EXPECT_EQ(a.phases[i].events, b.phases[i].events) << a.phases[i].name;
  }
}

/// W turns around while it delivers commands: only SELECT may pass until the turn is complete.
TEST(Check, CertifiesAWaferWhereWTurnsAround) {
  const cosim::Tiny tiny({.rows = 2, .cols = machine::WaferShape::kColsToTurn}, cosim::tiny_model());
  Input input = deadlock::input_of(tiny.plan);
  const Result good = check(input);
  EXPECT_TRUE(good.certified()) << good.phases.back().problem;
  auto& load = input.phases[0].messages;
  const std::vector<machine::Message> before = load, turn = compiler::turn_messages(tiny.plan.wafer);
  const auto routes = std::ranges::search(load, turn);
  ASSERT_FALSE(routes.empty());
  // Routes from the east come after the turn, so returning messages find no route.
  std::rotate(routes.begin(), routes.begin() + 4, routes.end() - machine::WaferShape::kSelectsBehindTurn);
  EXPECT_FALSE(check(input).certified());
  load = before;
  const machine::Message all = machine::Message::select();
  const auto selects = std::search_n(load.begin(), load.end(), machine::WaferShape::kSelectsBehindTurn, all);
  ASSERT_NE(selects, load.end());
  *std::next(selects, 8) = machine::Message::command(machine::Command::Maddr, 0, 0);  // a tile may miss this command
  EXPECT_NE(check(input).phases[0].problem.find("W's routes change while W brings messages"), std::string::npos);
}

/// Streams of ops are generated one at a time, and each phase reports its progress.
TEST(Check, KeepsNoOpsStreamAndTellsItsProgress) {
  const cosim::Tiny tiny({.rows = 2, .cols = 2}, cosim::tiny_model());
  const Input input = deadlock::input_of(tiny.plan);
  for (std::size_t i = 2; i < input.phases.size(); ++i) EXPECT_TRUE(input.phases[i].messages.empty());
  std::map<std::string, std::uint64_t> sent;
  Watch watch;
  watch.sent = [&](const std::string& name, std::uint64_t now, std::uint64_t all) {
    EXPECT_LE(now, all) << name;
    if (now == all) sent[name] = all;
  };
  const Result result = check(input, watch);
  ASSERT_TRUE(result.certified());
  for (std::size_t i = 0; i < result.phases.size(); ++i) {
    const auto& phase = result.phases[i];
    if (i >= 2) {
      EXPECT_EQ(phase.messages, compiler::message_count(tiny.plan.ops[i - 2])) << phase.name;
    }
    if (phase.same_as.empty()) {
      EXPECT_GE(sent[phase.name], phase.messages) << phase.name;
    }
  }
}

/// Returned words are part of the certificate.
TEST(Check, MissesWordsThatTheHostAwaits) {
  const cosim::Tiny tiny({.rows = 2, .cols = 2}, cosim::tiny_model());
  Input input = deadlock::input_of(tiny.plan);
  ++(*input.phases.back().returned)[1];
  const Result result = check(input);
  EXPECT_EQ(result.phases.back().problem, "row 1's outlet gets 1 words, but the host awaits 2");
}

/// A missing command or weight anywhere in the stream.
TEST(Check, FindsAStreamThatLostAMessage) {
  test::Rng rng(test::test_seed());
  const cosim::Tiny tiny({.rows = 3, .cols = 1}, cosim::tiny_model());
  const Input good = deadlock::input_of(tiny.plan);
  int found = 0, harmless = 0;
  for (int i = 0; i < 60; ++i) {
    Input input = good;
    auto& phase = input.phases[2 + rng.below(static_cast<unsigned>(input.phases.size() - 2))];
    compiler::expand(*std::exchange(phase.op, nullptr), {}, phase.messages);
    const std::size_t at = rng.below(static_cast<unsigned>(phase.messages.size()));
    const machine::Message m = phase.messages[at];
    phase.messages.erase(phase.messages.begin() + static_cast<std::ptrdiff_t>(at));
    const Result result = check(input);
    found += !result.certified();
    // A missing weight changes a sum, or in a gradient a returned word; a call that reaches no row leaves all of them
    // at rest.
    const bool cr = m.ctrl && m.data >> 24 == static_cast<unsigned>(machine::Command::CR);
    if (cr) {
      EXPECT_FALSE(result.certified()) << phase.name << " without message " << at;
    }
    harmless += result.certified();
  }
  std::cout << found << " found, " << harmless << " do not matter to the order\n";
  EXPECT_GT(found, 5);
}

}  // namespace
}  // namespace weft::deadlock
