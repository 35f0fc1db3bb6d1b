/// Unauthenticated peers delay no one and are counted (tests/swarmx/auth covers admission); wafers may join at any
/// time.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/swarmx/descriptors.hpp"
#include "tests/swarmx/fake.hpp"
#include "tests/swarmx/impostor.hpp"

namespace weft::swarmx {
namespace {

using namespace std::chrono_literals;

struct UnauthenticatedPeers : testing::Test {
  compiler::Plan plan = fake_plan();
  memoryx::MemoryX memoryx{plan, {}}, local{plan, {}};
  SwarmOptions options = fake_swarm(plan, 3, 2, 4, 0);
  FirstFailure failure;
  asio::io_context io;
  std::vector<std::jthread> members;
  UnauthenticatedPeers() {
    let_join(options, 1);
    options.silence = 1s;
    options.timeout = 20s;
    options.min_csx = 3;
  }
  asio::ip::tcp::socket knock(const Swarm& swarm) {
    asio::ip::tcp::socket socket(io);
    socket.connect({asio::ip::address_v4::loopback(), swarm.port()});
    return socket;
  }
  void join(const Swarm& swarm, int id) { members.push_back(start_member(failure, member_of(swarm, options, id))); }
  std::string refusal(Swarm& swarm) {
    try {
      swarm.step(0, memoryx);
    } catch (const PeerLost& error) {
      return error.what();
    }
    return "no failure";
  }
  /// The hash of the weights that one process reaches.
  std::uint64_t expected(std::uint64_t steps) {
    Swarm swarm(plan, fake_swarm(plan, 1, 2, 4, 0));
    for (std::uint64_t step = 0; step < steps; ++step) swarm.step(step, local);
    return local.hash();
  }
};

TEST_F(UnauthenticatedPeers, EndNoRunAndBlockNoMember) {
  {
    Swarm swarm(plan, options);
    auto silent = knock(swarm), garbage = knock(swarm);
    asio::write(garbage, asio::buffer("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" + std::string(100, 'x')));
    for (const int id : {1, 2}) join(swarm, id);
    swarm.step(0, memoryx);
  }
  members.clear();
  failure.check();
  EXPECT_EQ(memoryx.hash(), expected(1));
}

TEST_F(UnauthenticatedPeers, AreCountedWhereSomebodyIsMissing) {
  options.timeout = 1s;
  Swarm swarm(plan, options);
  asio::write(*std::make_unique<asio::ip::tcp::socket>(knock(swarm)), asio::buffer(std::string(500, 'x')));
  const std::string text = refusal(swarm);
  EXPECT_SAYS(text, "wafer 1, wafer 2 did not connect within 1 s; 1 others were rejected, the last: ");
}

TEST_F(UnauthenticatedPeers, TooFewDescriptorsForAWhileEndNothing) {
  Swarm swarm(plan, options);
  asio::ip::tcp::socket knocks(io, asio::ip::tcp::v4());  // has its descriptor
  std::jthread step;
  {
    const FewDescriptors few(0);
    knocks.connect({asio::ip::address_v4::loopback(), swarm.port()});
    step = guarded_thread(failure, [&] { swarm.step(0, memoryx); });
    std::this_thread::sleep_for(300ms);
  }
  for (const int id : {1, 2}) join(swarm, id);
  step.join();
  failure.check();
}

/// A full disk fails the run between steps: the wafer receives no Stop.
TEST_F(UnauthenticatedPeers, OnlyARunThatIsOverTellsOthersSo) {
  const auto last_word = [&](bool fails) {
    std::optional<Impostor> wafer;
    try {
      const Swarm swarm(plan, options);
      wafer.emplace(swarm, 1);
      if (fails) throw std::runtime_error("the disk is full");
    } catch (const std::runtime_error&) {
    }
    try {
      wafer->receive(FrameType::Stop);
      return true;
    } catch (const boost::system::system_error&) {
      return false;
    }
  };
  EXPECT_TRUE(last_word(false));
  EXPECT_FALSE(last_word(true));
}

/// A contribution to another step or pass is rejected, and its sender is lost; the run continues.
TEST_F(UnauthenticatedPeers, AWaferThatAnswersForAnotherStepIsLost) {
  options.min_csx = 1;
  std::vector<std::string> losses;
  options.say = [&](const std::string& line) {
    if (line.find(" is lost: ") != std::string::npos) losses.push_back(line);
  };
  {
    Swarm swarm(plan, options);
    join(swarm, 2);
    Impostor wrong(swarm, 1);
    std::jthread answers([&] {
      Frame begin = wrong.receive(FrameType::Begin);
      ++begin.step;
      const PassReturns returns(plan, true);
      wrong.send(contribution(plan, returns.buckets().front(), begin));
    });
    swarm.step(0, memoryx);
    answers.join();
    EXPECT_TRUE(wrong.is_closed());
  }
  members.clear();
  failure.check();
  ASSERT_EQ(losses.size(), 1);
  EXPECT_SAYS(losses[0], "wafer 1 contributed to step 2");
  EXPECT_EQ(memoryx.hash(), expected(1));
}

/// Wafers join and leave, so that the run has more and fewer than at its start.
TEST_F(UnauthenticatedPeers, WafersComeAndGoAndNoBitChanges) {
  options.min_csx = 1;
  options.micro_batches = 9;
  options.silence = 30s;
  std::atomic<int> came = 0, lost = 0;
  options.say = [&](const std::string& line) {
    if (line.ends_with(" has joined")) ++came;
    if (line.starts_with("wafer 1 is lost: ")) ++lost;
  };
  std::uint64_t steps = 0;
  {
    Swarm swarm(plan, options);
    Impostor leaves(swarm, 1);
    join(swarm, 2);
    std::jthread dies([&] {
      leaves.receive(FrameType::End);
      leaves.close();
    });
    swarm.step(steps++, memoryx);
    for (const int id : {1, 7}) join(swarm, id);
    while (steps < 5 || came < 4) swarm.step(steps++, memoryx);
    swarm.step(steps++, memoryx);
  }
  members.clear();
  failure.check();
  EXPECT_EQ(lost, 1);
  Swarm swarm(plan, fake_swarm(plan, 1, 2, 9, 0));
  for (std::uint64_t step = 0; step < steps; ++step) swarm.step(step, local);
  EXPECT_EQ(memoryx.hash(), local.hash());
}

/// A user at a silent console could not know for which processes the run waits.
TEST_F(UnauthenticatedPeers, AwaitedMembersAndTheStartWithoutAreReported) {
  options.min_csx = 1;
  options.timeout = 3200ms;
  options.clock = std::make_shared<StepClock>();
  std::mutex mutex;
  std::vector<std::string> lines;
  options.say = [&](const std::string& line) {
    const std::lock_guard lock(mutex);
    lines.push_back(line);
  };
  {
    Swarm swarm(plan, options);
    join(swarm, 2);
    swarm.step(0, memoryx);
  }
  members.clear();
  failure.check();
  const auto said = [&](const std::string& what) {
    return std::ranges::count_if(lines, [&](const std::string& line) { return line.starts_with(what); });
  };
  EXPECT_EQ(said("waits for wafer 1, at most 0.2 s. HINT: "), 1);
  EXPECT_EQ(said("continues without wafer 1, and accepts late members. HINT: "), 1);
  const StepTimes times = options.clock->take();
  EXPECT_GE(times[Part::Wait], 3) << "for the wafer";
  EXPECT_GT(times[Part::Compute], 0);
  EXPECT_LT(times[Part::Compute], 3);
  EXPECT_EQ(memoryx.hash(), expected(1));
}

TEST_F(UnauthenticatedPeers, TwoWafersOfOneNameWorkAndAreSaidToBeTwo) {
  std::atomic<int> twice = 0;
  options.say = [&](const std::string& line) {
    twice += line.starts_with("wafer 1 has joined, in addition to one of that name. HINT: ") ? 1 : 0;
  };
  {
    Swarm swarm(plan, options);
    for (const int id : {1, 1}) join(swarm, id);
    swarm.step(0, memoryx);
  }
  members.clear();
  failure.check();
  EXPECT_EQ(twice, 1);
  EXPECT_EQ(memoryx.hash(), expected(1));
}

}  // namespace
}  // namespace weft::swarmx
