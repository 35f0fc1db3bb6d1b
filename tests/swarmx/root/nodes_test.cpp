/// Nodes as separate processes (threads of the test): the bits stay the same, and a failure of a node loses only this
/// node.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <optional>
#include <set>

#include "host/memoryx/fixed_point.hpp"
#include "host/swarmx/members/node_member.hpp"
#include "tests/swarmx/fake.hpp"
#include "tests/swarmx/impostor.hpp"

namespace weft::swarmx {
namespace {

using namespace std::chrono_literals;

bool is_listened_at(std::uint16_t port) {
  asio::io_context io;
  asio::ip::tcp::socket socket(io);
  boost::system::error_code error;
  socket.connect({asio::ip::address_v4::loopback(), port}, error);
  return !error;
}

/// Six micro-batches on three wafers below nodes.
struct Nodes : testing::Test {
  Nodes() { let_join(options, 0); }

  NodeMemberOptions node_of(const Swarm& swarm, int id) const { return {.id = id, .join = join_of(swarm, options)}; }
  void start_node(NodeMemberOptions node) {
    others.push_back(guarded_thread(there, [node = std::move(node)] { run_node_member(node); }));
  }
  void start_wafers(const Swarm& swarm, int count = 3) {
    for (int id = 0; id < count; ++id) others.push_back(start_member(there, member_of(swarm, options, id)));
  }
  /// Hash of the weights after two steps of a single process.
  std::uint64_t expected() {
    memoryx::MemoryX memoryx(plan, {});
    Swarm swarm(plan, fake_swarm(plan, 1, 2, 6, 0));
    for (std::uint64_t step = 0; step < 2; ++step) swarm.step(step, memoryx);
    return memoryx.hash();
  }
  /// Names of the wafers' parent nodes; empty: the root.
  static std::multiset<std::string> below(const SwarmStatus& status) {
    std::multiset<std::string> nodes;
    for (const RankStatus& wafer : status.wafers) nodes.insert(wafer.node);
    return nodes;
  }

  compiler::Plan plan = fake_plan();
  SwarmOptions options = fake_swarm(plan, 3, 2, 6, 1);
  memoryx::MemoryX memoryx{plan, {}};
  FirstFailure there;
  std::vector<std::jthread> others;  // these end with the swarm
};

TEST_F(Nodes, AddUpWhatWafersContributeAndTheBitsAreThoseOfOneProcess) {
  options.nodes = 2;
  Swarm swarm(plan, options);
  start_wafers(swarm);  // these wait for the nodes
  for (int id = 0; id < 2; ++id) start_node(node_of(swarm, id));
  for (std::uint64_t step = 0; step < 2; ++step) EXPECT_EQ(swarm.step(step, memoryx).repeated, 0U);
  EXPECT_EQ(memoryx.hash(), expected());
  const SwarmStatus status = swarm.status();
  const std::size_t first = below(status).count("node 0"), second = below(status).count("node 1");
  EXPECT_EQ(std::min(first, second), 1U);
  EXPECT_EQ(std::max(first, second), 2U);
  ASSERT_EQ(status.nodes.size(), 2U);
  EXPECT_EQ(status.nodes[0].done + status.nodes[1].done, 12U);
  std::uint64_t done = 0;
  for (const RankStatus& wafer : status.wafers) done += wafer.done;
  EXPECT_EQ(done, 12U);
  for (const RankStatus& node : status.nodes) {
    EXPECT_EQ(node.state, RankStatus::State::Here);
    EXPECT_EQ(node.host, "127.0.0.1");
    EXPECT_GT(node.bytes_to, 0U);
    EXPECT_GT(node.bytes_from, 0U);
  }
  there.check();
}

/// The node sends up the sums of its other wafers, so the root sees which one is late.
TEST_F(Nodes, ASlowWaferBelowOneIsNamedAlone) {
  options = fake_swarm(plan, 3, 2, 6, 0);
  let_join(options, 0);
  options.nodes = 1;
  Swarm swarm(plan, options);
  start_node(node_of(swarm, 0));
  for (int id = 0; id < 3; ++id) {
    MemberOptions member = member_of(swarm, options, id);
    member.make_wafer = [this, each = id == 2 ? 100ms : 0ms](int) { return make_fake_wafer(plan, {.each = each}); };
    others.push_back(start_member(there, member));
  }
  std::uint64_t steps = 0;
  const auto state = [&](std::size_t id) { return swarm.status().wafers[id].state; };
  while (state(2) != RankStatus::State::Slow && steps < 1000) swarm.step(steps++, memoryx);
  EXPECT_EQ(swarm.status().slow_ranks().size(), 1U);
  EXPECT_EQ(swarm.status().wafers[2].node, "node 0");
  there.check();
  memoryx::MemoryX undisturbed(plan, {});
  Swarm alone(plan, fake_swarm(plan, 1, 2, 6, 0));
  for (std::uint64_t step = 0; step < steps; ++step) alone.step(step, undisturbed);
  EXPECT_EQ(memoryx.hash(), undisturbed.hash());
}

TEST_F(Nodes, AnEvaluationRunsThroughThem) {
  options.nodes = 1;
  Swarm swarm(plan, options), alone(plan, fake_swarm(plan, 1, 2, 6, 0));
  start_node(node_of(swarm, 0));
  start_wafers(swarm);
  EXPECT_EQ(swarm.evaluate(0, 4, memoryx).losses.back().sum, alone.evaluate(0, 4, memoryx).losses.back().sum);
}

TEST_F(Nodes, OneThatLeavesSendsItsWafersToTheRest) {
  options.nodes = 2;
  std::atomic<bool> leaves = false;
  Swarm swarm(plan, options);
  NodeMemberOptions first = node_of(swarm, 0);
  first.join.leave = [&] { return leaves.load(); };
  start_node(first);
  start_node(node_of(swarm, 1));
  start_wafers(swarm);
  swarm.step(0, memoryx);
  leaves = true;
  while (swarm.status().connected_wafers() < 3 || below(swarm.status()).contains("node 0"))
    std::this_thread::sleep_for(5ms);
  EXPECT_EQ(swarm.status().nodes[0].state, RankStatus::State::Lost);
  swarm.step(1, memoryx);
  EXPECT_EQ(memoryx.hash(), expected());
  there.check();
}

TEST_F(Nodes, AWaferThatCannotGetToItsNodeIsTheRoots) {
  options.nodes = 1;
  options.silence = 1s;
  Swarm swarm(plan, options);
  Impostor node(swarm, "node", "node 0");
  node.send({.type = FrameType::Listens, .part = 1});  // a port without a listener
  std::jthread lives([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      node.send({.type = FrameType::Alive});
      std::this_thread::sleep_for(50ms);
    }
  });
  start_wafers(swarm);
  for (std::uint64_t step = 0; step < 2; ++step) swarm.step(step, memoryx);
  EXPECT_EQ(memoryx.hash(), expected());
  EXPECT_EQ(below(swarm.status()), (std::multiset<std::string>{"", "", ""}));
  EXPECT_EQ(swarm.status().nodes[0].state, RankStatus::State::Here);
}

TEST_F(Nodes, OneThatSaysWhatCannotBeIsLostAlone) {
  options.nodes = 1;
  Swarm swarm(plan, options);
  {
    Impostor mute(swarm, "node", "node 0");
    mute.send({.type = FrameType::Came});
    EXPECT_TRUE(mute.is_closed());
  }
  Impostor liar(swarm, "node", "node 0");
  liar.send({.type = FrameType::Listens, .part = 1});
  Frame came{.type = FrameType::Came};
  liar.send(came.carry(encode_member_ids(std::array{7U})));
  EXPECT_TRUE(liar.is_closed());
  while (swarm.status().nodes[0].state != RankStatus::State::Lost) std::this_thread::sleep_for(1ms);
  EXPECT_SAYS(swarm.status().nodes[0].why, "reports the joining of a member id that was not assigned");
  start_wafers(swarm);
  for (std::uint64_t step = 0; step < 2; ++step) swarm.step(step, memoryx);
  EXPECT_EQ(memoryx.hash(), expected());
}

TEST_F(Nodes, AGradientThatIsNoNumberBelowOneEndsTheRun) {
  options.nodes = 1;
  FirstFailure fails;
  const MakeWafer wafer = [&](int id) { return make_fake_wafer(plan, {.overflow_after = id == 1 ? 3 : -1}); };
  std::string text;
  {
    Swarm swarm(plan, options);
    NodeMemberOptions node = node_of(swarm, 0);
    std::atomic<bool> leaves = false;
    node.join.leave = [&] { return leaves.load(); };
    start_node(node);
    std::vector<std::jthread> wafers;
    for (int id = 0; id < 3; ++id) {
      MemberOptions member = member_of(swarm, options, id);
      member.make_wafer = wafer;
      member.join.leave = node.join.leave;
      wafers.push_back(start_member(fails, member));
    }
    try {
      swarm.step(0, memoryx);
    } catch (const memoryx::GradientOverflow& error) {
      text = error.what();
    }
    leaves = true;
  }
  EXPECT_SAYS(text, "node 0: wafer 1, step 1");
  EXPECT_SAYS(text, "is not a number below 2048");
  others.clear();
  EXPECT_NO_THROW(there.check()) << "the node is not at fault";
}

TEST_F(Nodes, RedirectedWaferGetsStopWhenTheRunEnds) {
  options.nodes = 1;
  std::optional<Swarm> swarm(std::in_place, plan, options);
  start_node(node_of(*swarm, 0));
  Impostor wafer(*swarm, "wafer", "wafer 0");
  wafer.receive(FrameType::Redirect);
  const std::jthread ends([&] { swarm.reset(); });
  wafer.receive(FrameType::Stop);
  wafer.close();
}

TEST_F(Nodes, WaferThatJoinsAsTheRunEndsGetsStop) {
  options.nodes = 1;
  std::optional<Swarm> swarm(std::in_place, plan, options);
  start_node(node_of(*swarm, 0));
  Impostor wafer(*swarm, "wafer", "wafer 0");
  const Frame where = wafer.receive(FrameType::Redirect);
  const auto port = static_cast<std::uint16_t>(where.part);
  Impostor at_node(port, "wafer", "wafer 0");
  wafer.close();
  const std::jthread ends([&] { swarm.reset(); });
  while (is_listened_at(port)) std::this_thread::sleep_for(5ms);
  Frame came{.type = FrameType::Came};
  at_node.send(came.carry(encode_member_ids(std::array{where.op})));
  at_node.receive(FrameType::Stop);
  at_node.close();
}

TEST_F(Nodes, UnexpectedNodesAreRejected) {
  for (const int nodes : {0, 2}) {
    options.nodes = nodes;
    options.timeout = 200ms;
    Swarm swarm(plan, options);
    try {
      run_node_member(node_of(swarm, 2));
      ADD_FAILURE() << "it is let in";
    } catch (const SwarmError& error) {
      EXPECT_SAYS(error.what(), nodes == 0 ? "node 2 is not expected here: swarmx.nodes is 0 here"
                                           : "node 2 is not one of the 2 nodes here");
    }
  }
}

}  // namespace
}  // namespace weft::swarmx
