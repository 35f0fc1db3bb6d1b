#include "host/swarmx/root/network.hpp"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <new>
#include <thread>
#include <vector>

#include "host/memoryx/fixed_point.hpp"
#include "host/swarmx/root/stream.hpp"
#include "tests/swarmx/fake.hpp"

namespace weft::swarmx {
namespace {

/// A network whose root throws a given exception when the first sum arrives.
struct Thrown : testing::TestWithParam<int> {
  compiler::Plan plan = fake_plan();
  SwarmOptions options = fake_swarm(plan, GetParam(), 2, 1, 0);
  Network* running = nullptr;
  FirstFailure run{[this] { running->wake(); }};

  void start(Network& network) {
    running = &network;
    network.start();
  }
  /// The frames of a pass with one micro-batch, as Swarm sends them.
  std::vector<Frame> pass() {
    std::vector<Frame> frames{{.type = FrameType::Begin}};
    frames[0].carry(encode_pass({true, {{0, 0, false}}}));
    for (Frame& frame : batch_frames(plan, options.get, {}, 0)) frames.push_back(std::move(frame));
    memoryx::MemoryX memoryx(plan, {});
    LocalMemoryXClient memory(plan, memoryx);
    Stream stream(plan);
    for (std::size_t op = 0; op < plan.ops.size(); ++op) {
      stream.op(op, memory, [&](Frame frame) { frames.push_back(std::move(frame)); });
    }
    frames.push_back({.type = FrameType::End});
    return frames;
  }
  static asio::awaitable<void> send(Network& network, std::vector<Frame> frames) {
    for (const Frame& frame : frames) {
      Frame copy = frame;
      co_await network.root().down(std::move(copy));
    }
  }
  void wait_for_failure() {
    const auto start = std::chrono::steady_clock::now();
    while (!run.happened() && std::chrono::steady_clock::now() - start < std::chrono::seconds(10)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  template <class Error>
  void ends_with(Error error) {
    {
      const auto up = [&](Frame) -> asio::awaitable<void> {
        throw error;
        co_return;
      };
      Network network(plan, options, run, up, [](std::uint32_t) {});
      start(network);
      asio::co_spawn(network.executor(), send(network, pass()), run.ending());
      wait_for_failure();
    }
    EXPECT_THROW(run.check(), Error);
  }
};

TEST_P(Thrown, NoMemoryAtTheRootEndsTheRun) { ends_with(std::bad_alloc()); }
TEST_P(Thrown, AGradientThatOverflowsAtTheRootEndsTheRun) { ends_with(memoryx::GradientOverflow("too large")); }
TEST_P(Thrown, NonExceptionAtTheRootEndsTheRun) { ends_with(7); }

TEST_P(Thrown, AHandlerOfTheNetworkThatThrowsEndsTheRun) {
  {
    Network network(
        plan, options, run, [](Frame) -> asio::awaitable<void> { co_return; }, [](std::uint32_t) {});
    start(network);
    asio::post(network.executor(), [] { throw std::bad_alloc(); });
    wait_for_failure();
  }
  EXPECT_THROW(run.check(), std::bad_alloc);
}

TEST_P(Thrown, AFailureFromOutsideEndsAllThreads) {
  {
    Network network(
        plan, options, run, [](Frame) -> asio::awaitable<void> { co_return; }, [](std::uint32_t) {});
    start(network);
    run.set(std::make_exception_ptr(3));
  }
  EXPECT_THROW(run.check(), int);
}

INSTANTIATE_TEST_SUITE_P(Wafers, Thrown, testing::Values(2, 5),
                         [](const auto& info) { return std::to_string(info.param) + "wafers"; });

}  // namespace
}  // namespace weft::swarmx
