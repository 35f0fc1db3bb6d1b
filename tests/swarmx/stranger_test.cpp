/// Anybody may connect while wafers start: that ends no run and holds nobody up.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "sw/base/failure.hpp"
#include "tests/swarmx/descriptors.hpp"
#include "tests/swarmx/fake.hpp"
#include "tests/swarmx/impostor.hpp"

namespace weft {
namespace {

using namespace std::chrono_literals;

struct Strangers : testing::Test {
  Plan plan = fake_plan();
  MemoryX memoryx{plan, {}};
  SwarmOptions options = fake_swarm(plan, 3, 2, 4, 0);
  FirstFailure failure;
  Strangers() {
    options.local_wafers = 1;
    options.silence = 1s;
    options.timeout = 20s;
    options.min_csx = 3;
  }
  std::jthread leaf(const Swarm& swarm, int id) {
    LeafOptions leaf{id, "127.0.0.1", swarm.port(), "MemoryX", options.make_wafer, options.silence};
    return guarded_thread(failure, [this, leaf] { run_leaf(plan, leaf); });
  }
  std::string refusal(Swarm& swarm) {
    try {
      swarm.step(0, memoryx);
    } catch (const PeerLost& error) {
      return error.what();
    }
    return "no failure";
  }
};

TEST_F(Strangers, EndNoRunAndHoldNobodyUp) {
  std::vector<std::jthread> leaves;
  {
    Swarm swarm(plan, options);
    const std::uint16_t port = swarm.port();
    Stranger silent(port), garbage(port), wrong(port), cut(port), large(port);
    garbage.raw("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" + std::string(100, 'x'));
    wrong.say("somebody");
    cut.raw("WEFT");
    Frame long_name{.type = FrameType::Hello};
    try {
      large.send(long_name.carry(Bytes(kMaxPayload)));
    } catch (const boost::system::system_error&) {  // it is refused before it has said all
    }
    for (int n = 0; n < 20; ++n) Stranger(port).close();  // a port scanner
    leaves.push_back(leaf(swarm, 1));
    EXPECT_TRUE(garbage.is_closed());
    EXPECT_TRUE(wrong.is_closed());
    EXPECT_TRUE(large.is_closed());
    std::this_thread::sleep_for(200ms);
    Stranger taken(port);
    taken.say("wafer 1");
    EXPECT_TRUE(taken.is_closed());
    EXPECT_TRUE(silent.is_closed());  // after `silence`
    EXPECT_TRUE(cut.is_closed());
    leaves.push_back(leaf(swarm, 2));
    swarm.step(0, memoryx);
  }
  leaves.clear();
  failure.check();
}

TEST_F(Strangers, AreCountedWhereSomebodyIsMissing) {
  options.timeout = 1s;
  Swarm swarm(plan, options);
  Stranger(swarm.port()).say("somebody");
  const std::string text = refusal(swarm);
  EXPECT_SAYS(text,
              "wafer 1, wafer 2 did not connect within 1 s; 1 others came, the last: one that says it is somebody, "
              "which is no wafer");
}

TEST_F(Strangers, TooFewDescriptorsAreTriedAgainUntilTheDeadline) {
  options.timeout = 1s;
  Swarm swarm(plan, options);
  Stranger knocks;  // has its descriptors
  std::string text;
  {
    const FewDescriptors few(0);
    knocks.connect(swarm.port());
    text = refusal(swarm);
  }
  EXPECT_SAYS(text, "wafer 1, wafer 2 did not connect within 1 s");
  EXPECT_SAYS(text, "Too many open files");
}

TEST_F(Strangers, TooFewDescriptorsForAWhileEndNothing) {
  std::vector<std::jthread> leaves;
  Swarm swarm(plan, options);
  Stranger knocks;  // has its descriptors
  std::jthread step;
  {
    const FewDescriptors few(0);
    knocks.connect(swarm.port());
    step = guarded_thread(failure, [&] { swarm.step(0, memoryx); });
    std::this_thread::sleep_for(300ms);
  }
  for (const int id : {1, 2}) leaves.push_back(leaf(swarm, id));
  step.join();
  failure.check();
}

}  // namespace
}  // namespace weft
