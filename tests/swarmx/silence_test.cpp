/// A silent peer in another process is lost in bounded time; a computing one is not.
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>

#include "host/memoryx/tier.hpp"
#include "host/swarmx/auth/listener.hpp"
#include "sw/base/failure.hpp"
#include "tests/memoryx/faulty_io.hpp"
#include "tests/swarmx/fake.hpp"
#include "tests/swarmx/impostor.hpp"

namespace weft::swarmx {
namespace {

using namespace std::chrono_literals;

/// A wafer as a process.
class Process {
 public:
  Process(int id, std::uint16_t port) {
    std::string name = SWARMX_LEAF, number = std::to_string(id), at = std::to_string(port), key = test_key().file();
    char* arguments[] = {name.data(), number.data(), at.data(), key.data(), nullptr};
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

/// A run without traffic except heartbeats.
TEST(Idle, ASwarmKeepsItsWafersWithoutAStep) {
  const compiler::Plan plan = fake_plan();
  memoryx::MemoryX memoryx(plan, {});
  SwarmOptions options = fake_swarm(plan, 2, 2, 4, 0);
  let_join(options, 0);
  options.silence = 1s;
  FirstFailure there;
  std::vector<std::jthread> others;
  Swarm swarm(plan, options);
  for (int id = 0; id < 2; ++id) {
    others.push_back(start_member(there, member_of(swarm, options, id)));
    std::this_thread::sleep_for(1500ms);
  }
  swarm.step(0, memoryx);
  there.check();
}

TEST(Seen, AWaferThatLeftIsLostAndTheOthersWorkIsCounted) {
  const compiler::Plan plan = fake_plan();
  memoryx::MemoryX memoryx(plan, {});
  SwarmOptions options = fake_swarm(plan, 3, 2, 8, 0);
  let_join(options, 0);
  FirstFailure there;
  std::vector<std::jthread> others;  // these end after the swarm
  Swarm swarm(plan, options);
  EXPECT_EQ(swarm.status().connected_wafers(), 0U);
  others.push_back(start_member(there, member_of(swarm, options, 0)));
  others.push_back(start_member(there, member_of(swarm, options, 1)));
  {
    Process killed(2, swarm.port());
    swarm.step(0, memoryx);
    const SwarmStatus status = swarm.status();
    ASSERT_EQ(status.wafers.size(), 3U);
    for (const RankStatus& wafer : status.wafers) {
      EXPECT_EQ(wafer.host, "127.0.0.1");
      EXPECT_GT(wafer.bytes_to, wafer.frames_to * 48) << wafer.name;
      EXPECT_GT(wafer.bytes_from, 0U) << wafer.name;
    }
    killed.signal(SIGKILL);
  }
  for (std::uint64_t step = 1; step < 200 && swarm.status().connected_wafers() == 3; ++step) swarm.step(step, memoryx);
  const SwarmStatus status = swarm.status();
  EXPECT_EQ(status.connected_wafers(), 2U);
  EXPECT_EQ(status.wafers[2].state, RankStatus::State::Lost);
  EXPECT_NE(status.wafers[2].why, "");
  EXPECT_EQ(status.wafers[2].losses, 1U);
  EXPECT_GE(status.wafers[0].done + status.wafers[1].done + status.wafers[2].done, 8U);
  there.check();
}

struct Silence : testing::TestWithParam<int> {  // number of wafers, the last is remote
  compiler::Plan plan = fake_plan();
  memoryx::MemoryX memoryx{plan, {}};
  int last = GetParam() - 1;
  SwarmOptions options = fake_swarm(plan, GetParam(), 2, 8, 0);
  Silence() {
    let_join(options, last);
    options.silence = 1s;
    options.timeout = 2s;
    options.min_csx = GetParam();  // so that a loss ends the run
  }
  /// The error of a run that must fail soon.
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
  EXPECT_SAYS(text, name() + " has sent nothing for 1 s");
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
  EXPECT_SAYS(failure(swarm), name() + " has sent nothing for 1 s");
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
  MemberOptions member = member_of(swarm, options, last);
  member.make_wafer = [this](int) { return make_fake_wafer(plan, {.sleeps_after = 4, .sleep = 2500ms}); };
  other = start_member(there, member);
  EXPECT_EQ(swarm.step(0, memoryx).repeated, 0U);
  EXPECT_EQ(swarm.step(1, memoryx).repeated, 0U);
  there.check();
}

INSTANTIATE_TEST_SUITE_P(Wafers, Silence, testing::Values(1, 4),
                         [](const auto& info) { return std::to_string(info.param) + "wafers"; });

/// The flash tier, with a read of a gradient's sums that takes longer than `silence`: the root's network thread does
/// not wait for it.
TEST(SlowDisk, LosesNoWafer) {
  const compiler::Plan plan = fake_plan();
  std::atomic<int> slow = 0;
  const std::uint64_t sums = plan.parameters * 3 * sizeof(float);  // the file begins with weights and moments
  const auto io = [&](int file) {
    return std::make_unique<memoryx::FaultyIo>(memoryx::make_thread_io(file), [&](const auto& request, int /*number*/) {
      if (!request.write && request.offset >= sums && slow++ == 0) std::this_thread::sleep_for(2500ms);
      return 0;
    });
  };
  memoryx::TierOptions tier{.dram = 1 << 18, .folder = std::filesystem::temp_directory_path(), .io = io};
  memoryx::MemoryX memoryx(plan, {}, std::make_unique<memoryx::TierStore>(plan.parameters, tier));
  SwarmOptions options = fake_swarm(plan, 2, 2, 4, 0);
  let_join(options, 0);
  options.silence = 1s;
  FirstFailure there;
  std::vector<std::jthread> others;
  Swarm swarm(plan, options);
  for (int id = 0; id < 2; ++id) others.push_back(start_member(there, member_of(swarm, options, id)));
  swarm.step(0, memoryx);
  EXPECT_GT(slow, 0);
  for (const RankStatus& wafer : swarm.status().wafers) EXPECT_EQ(wafer.losses, 0U) << wafer.why;
  there.check();
}

/// A root that admits any peer and then sends nothing.
TEST(SilentRoot, IsLostAndTriedAgain) {
  const compiler::Plan plan = fake_plan();
  asio::io_context io;
  FirstFailure failure;
  std::vector<std::unique_ptr<Channel>> channels;
  std::vector<std::string> lines;
  Guests guests;
  guests.admit = [](const Hello&) { return std::string(); };
  guests.arrived = [&](const Hello&, std::unique_ptr<Channel> channel) {
    channels.push_back(std::move(channel));
    if (channels.size() == 2) io.stop();
  };
  const auto listener = std::make_shared<Listener>(
      io.get_executor(), failure, test_credentials(),
      Hello{.version = kSwarmVersion, .job = "test", .role = "wafer", .name = ""}, guests, ListenerOptions{});
  asio::co_spawn(io, listener->open(), failure.ending());
  MemberOptions member{.join = {.port = listener->port(), .credentials = test_credentials(), .job = "test"}};
  member.join.silence = 300ms;
  member.join.timeout = 1s;
  member.join.say = [&](const std::string& line) { lines.push_back(line); };
  FirstFailure there;
  {
    const std::jthread thread = start_member(there, member);
    io.run();
    listener->close();
    channels.clear();
  }
  ASSERT_FALSE(lines.empty());
  EXPECT_SAYS(lines[0], "MemoryX has sent nothing for 0.3 s");
  EXPECT_THROW(there.check(), PeerLost);  // in the end no root listens
}

}  // namespace
}  // namespace weft::swarmx
