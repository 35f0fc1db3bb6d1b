#include "host/swarmx/link/outbox.hpp"

#include <gtest/gtest.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

namespace weft::swarmx::outbox_test {
namespace {

namespace asio = boost::asio;

/// The network's thread, and the frames that reached it.
struct Network {
  StepClock::Time now{};
  StepClock clock{[this] { return now += std::chrono::seconds(1); }};  // each call takes a second
  asio::io_context io{1};
  asio::executor_work_guard<asio::io_context::executor_type> guard{io.get_executor()};
  std::vector<std::uint32_t> got;
  std::uint32_t fails_at = ~0U, blocks_at = ~0U;
  asio::steady_timer never{io, asio::steady_timer::time_point::max()};
  FirstFailure run{[this] { outbox.wake(); }};
  Outbox outbox{io.get_executor(), run, [this](Frame frame) { return take(std::move(frame)); }, &clock};
  std::jthread thread = guarded_thread(run, [this] { io.run(); });

  ~Network() {
    guard.reset();
    if (blocks_at != ~0U) io.stop();
  }

  asio::awaitable<void> take(Frame frame) {
    co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable);  // other handlers may run meanwhile
    if (frame.op == fails_at) throw std::runtime_error("no way down");
    if (frame.op == blocks_at) co_await never.async_wait(asio::use_awaitable);
    got.push_back(frame.op);
  }
  /// Waits until everything pushed has been taken.
  void finish() {
    guard.reset();
    thread.join();
  }
};

TEST(Outbox, KeepsTheOrderOfManyMoreFramesThanItHolds) {
  Network network;
  std::vector<std::uint32_t> sent;
  for (std::uint32_t op = 0; op < 100 * Outbox::kFrames; ++op) {
    sent.push_back(op);
    network.outbox.push({.type = FrameType::Op, .op = op});
    if (op % 37 == 0) std::this_thread::yield();  // the queue may become empty
  }
  network.finish();
  EXPECT_EQ(network.got, sent);
}

TEST(Outbox, ThrowsWhatHappenedToAnEarlierFrame) {
  Network network;
  network.fails_at = 3;
  std::uint32_t op = 0;
  const auto push_for_ever = [&] {
    for (;;) network.outbox.push({.type = FrameType::Op, .op = op++});
  };
  EXPECT_THROW(push_for_ever(), std::runtime_error);
  EXPECT_GE(op, 4U);
  EXPECT_LE(op, 5 + Outbox::kFrames) << "more frames than it holds went in";
  EXPECT_THROW(push_for_ever(), std::runtime_error);
}

TEST(Outbox, RunFailureWakesAWaitingPush) {
  Network network;
  network.blocks_at = 2;
  std::jthread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    network.run.set(std::make_exception_ptr(std::bad_alloc()));
  });
  const auto push_for_ever = [&] {
    for (std::uint32_t op = 0;; ++op) network.outbox.push({.type = FrameType::Op, .op = op});
  };
  EXPECT_THROW(push_for_ever(), std::bad_alloc);
  EXPECT_GE(network.clock.take()[Part::Room], 1) << "at the last frame, if not before";
}

TEST(Outbox, PushWithRoomNeverWaits) {
  Network network;
  network.blocks_at = 0;
  for (std::uint32_t op = 0; op < Outbox::kFrames; ++op) network.outbox.push({.type = FrameType::Op, .op = op});
  EXPECT_EQ(network.clock.take()[Part::Room], 0);
}

}  // namespace
}  // namespace weft::swarmx::outbox_test
