/// A peer in another process that says nothing is lost in bounded time; one that computes is not.
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <thread>

#include "host/swarmx/stream.hpp"
#include "sw/base/failure.hpp"
#include "tests/swarmx/fake.hpp"
#include "tests/swarmx/impostor.hpp"

namespace weft {
namespace {

using namespace std::chrono_literals;

/// A wafer as a process.
class Process {
 public:
  Process(int id, std::uint16_t port) {
    std::string name = SWARMX_LEAF, number = std::to_string(id), at = std::to_string(port);
    char* arguments[] = {name.data(), number.data(), at.data(), nullptr};
    EXPECT_EQ(::posix_spawn(&pid_, name.c_str(), nullptr, nullptr, arguments, environ), 0);
  }
  ~Process() {
    signal(SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  void signal(int number) const { ::kill(pid_, number); }

 private:
  pid_t pid_ = 0;
};

/// A run of which nothing is heard but that all are there.
TEST(Idle, ASwarmKeepsItsWafersWithoutAStep) {
  const Plan plan = fake_plan();
  MemoryX memoryx(plan, {});
  SwarmOptions options = fake_swarm(plan, 2, 2, 4, 0);
  options.local_wafers = 0;
  options.silence = 1s;
  FirstFailure there;
  std::vector<std::jthread> others;
  Swarm swarm(plan, options);
  for (int id = 0; id < 2; ++id) {
    LeafOptions leaf{id, "127.0.0.1", swarm.port(), "MemoryX", options.make_wafer, options.silence};
    others.push_back(guarded_thread(there, [&plan, leaf] { run_leaf(plan, leaf); }));
    std::this_thread::sleep_for(1500ms);
  }
  swarm.step(0, memoryx);
  there.check();
}

struct Silence : testing::TestWithParam<int> {  // number of wafers, the last is remote
  Plan plan = fake_plan();
  MemoryX memoryx{plan, {}};
  int last = GetParam() - 1;
  SwarmOptions options = fake_swarm(plan, GetParam(), 2, 8, 0);
  Silence() {
    options.local_wafers = last;
    options.silence = 1s;
    options.timeout = 2s;
    options.min_csx = GetParam();  // so that a loss is seen
  }
  /// What a run says that must fail soon.
  std::string failure(Swarm& swarm) {
    const auto start = std::chrono::steady_clock::now();
    std::string text = "no failure";
    try {
      for (std::uint64_t step = 0; step < 10000; ++step) swarm.step(step, memoryx);
    } catch (const PeerLost& error) {
      text = error.what();
    }
    EXPECT_LT(std::chrono::steady_clock::now() - start, 20s);
    return text;
  }
  std::string name() const { return "wafer " + std::to_string(last); }
};

TEST_P(Silence, AWaferThatSaysNothingIsLost) {
  Swarm swarm(plan, options);
  Impostor impostor(swarm, last);
  const std::string text = failure(swarm);
  EXPECT_SAYS(text, name() + " has said nothing for 1 s");
  EXPECT_SAYS(text, "HINT");
}

TEST_P(Silence, AWaferThatIsAliveIsWaitedFor) {
  Swarm swarm(plan, options);
  Impostor impostor(swarm, last);
  std::jthread lives([&] {
    for (int n = 0; n < 10; ++n) {
      impostor.send({.type = FrameType::Alive});
      std::this_thread::sleep_for(250ms);
    }
    impostor.close();
  });
  EXPECT_SAYS(failure(swarm), name() + " closed its connection");
}

TEST_P(Silence, AProcessThatIsStoppedIsLost) {
  Swarm swarm(plan, options);
  const Process wafer(last, swarm.port());
  swarm.step(0, memoryx);
  std::jthread stops([&] {
    std::this_thread::sleep_for(50ms);
    wafer.signal(SIGSTOP);
  });
  EXPECT_SAYS(failure(swarm), name() + " has said nothing for 1 s");
}

TEST_P(Silence, AProcessThatIsKilledIsLost) {
  Swarm swarm(plan, options);
  const Process wafer(last, swarm.port());
  swarm.step(0, memoryx);
  std::jthread kills([&] {
    std::this_thread::sleep_for(50ms);
    wafer.signal(SIGKILL);
  });
  EXPECT_SAYS(failure(swarm), name() + " closed its connection");
}

TEST_P(Silence, AWaferThatComputesForLongerIsNotLost) {
  FirstFailure there;
  std::jthread other;
  Swarm swarm(plan, options);
  LeafOptions leaf{last, "127.0.0.1", swarm.port(), "MemoryX", {}, options.silence};
  leaf.make_wafer = [this](int) { return make_fake_wafer(plan, {.sleeps_after = 4, .sleep = 2500ms}); };
  other = guarded_thread(there, [&] { run_leaf(plan, leaf); });
  EXPECT_EQ(swarm.step(0, memoryx).repeated, 0U);
  EXPECT_EQ(swarm.step(1, memoryx).repeated, 0U);
  there.check();
}

INSTANTIATE_TEST_SUITE_P(Wafers, Silence, testing::Values(1, 4),
                         [](const auto& info) { return std::to_string(info.param) + "wafers"; });

TEST(SilentParent, IsLostForItsLeaf) {
  const Plan plan = fake_plan();
  const SwarmOptions fake = fake_swarm(plan, 1, 2, 1, 0);
  boost::asio::io_context io;
  boost::asio::ip::tcp::acceptor parent(io, {boost::asio::ip::address_v4::loopback(), 0});
  LeafOptions leaf{0, "127.0.0.1", parent.local_endpoint().port(), "node 0..3", fake.make_wafer, 1s};
  try {
    run_leaf(plan, leaf);
    ADD_FAILURE() << "no failure";
  } catch (const PeerLost& error) {
    EXPECT_SAYS(std::string(error.what()), "node 0..3 has said nothing for 1 s");
  }
  leaf.port = 1;
  EXPECT_THROW(run_leaf(plan, leaf), PeerLost);
}

TEST(SilentParent, ThatTakesNothingIsLostForItsLeaf) {
  const Plan plan = fake_plan();
  const SwarmOptions fake = fake_swarm(plan, 1, 2, 1, 0);
  boost::asio::io_context io;
  boost::asio::ip::tcp::acceptor listening(io, {boost::asio::ip::address_v4::loopback(), 0});
  LeafOptions leaf{0, "127.0.0.1", listening.local_endpoint().port(), "MemoryX", fake.make_wafer, 1s};
  FirstFailure failure;
  std::jthread wafer = guarded_thread(failure, [&] { run_leaf(plan, leaf); });
  boost::asio::ip::tcp::socket parent = listening.accept();
  std::vector<Frame> frames(1);
  frames[0].type = FrameType::Begin;
  frames[0].carry(encode_round({true, {{0, 0, false}}}));
  for (Frame& frame : batch_frames(plan, fake.get, {}, 0)) frames.push_back(std::move(frame));
  MemoryX memoryx(plan, {});
  Stream stream(plan);
  for (std::size_t op = 0; op < plan.ops.size(); ++op) {
    stream.op(op, memoryx, [&](Frame frame) { frames.push_back(std::move(frame)); });
  }
  frames.push_back({.type = FrameType::End});
  boost::system::error_code gone;
  for (std::uint32_t round = 0; round < 1000 && !gone; ++round) {  // says much and hears nothing
    for (Frame& frame : frames) {
      frame.round = round;
      const HeaderBytes header = encode_header(frame);
      boost::asio::write(parent, boost::asio::buffer(header), gone);
      if (!gone && frame.payload) boost::asio::write(parent, boost::asio::buffer(*frame.payload), gone);
    }
  }
  wafer.join();
  try {
    failure.check();
    ADD_FAILURE() << "no failure";
  } catch (const PeerLost& error) {
    EXPECT_SAYS(std::string(error.what()), "MemoryX has taken nothing for 1 s");
  }
}

}  // namespace
}  // namespace weft
