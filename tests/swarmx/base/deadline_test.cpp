#include "host/swarmx/base/deadline.hpp"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <new>
#include <string>

#include "host/swarmx/base/lazy_deadline.hpp"
#include "sw/base/failure.hpp"

namespace weft::swarmx {
namespace {

using namespace std::chrono_literals;

asio::awaitable<std::string> say(std::string text, std::chrono::milliseconds after) {
  asio::steady_timer timer(co_await asio::this_coro::executor, after);
  co_await timer.async_wait(asio::use_awaitable);
  if (text.empty()) throw std::bad_alloc();
  co_return text;
}

std::optional<std::string> said(const char* text, std::chrono::milliseconds after, std::chrono::milliseconds time) {
  asio::io_context io(1);
  FirstFailure failure;
  std::optional<std::string> result;
  const auto work = [&]() -> asio::awaitable<void> {
    auto saying = say(text, after);
    result = co_await within(time, std::move(saying));
  };
  asio::co_spawn(io, work(), failure.ending());
  io.run();
  failure.check();
  return result;
}

TEST(Deadline, WorkThatIsDoneInTimeReturns) { EXPECT_EQ(said("done", 1ms, 10s), "done"); }

TEST(Deadline, WorkThatTakesLongerIsCancelled) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(said("late", 60s, 10ms), std::nullopt);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 10s);
}

/// Runs `work` with an extensible deadline; returns how often the deadline expired.
template <class Work>
int over(Work work) {
  asio::io_context io(1);
  FirstFailure failure;
  int over = 0;
  const auto deadline = std::make_shared<LazyDeadline>([&] { ++over; });
  asio::co_spawn(io, work(deadline), failure.ending());
  io.run();  // returns, since cancelled work keeps no waiter
  failure.check();
  return over;
}

TEST(LazyDeadline, IsOverOnceWhereWorkTakesLongerAndNotBefore) {
  EXPECT_EQ(over([](std::shared_ptr<LazyDeadline> deadline) -> asio::awaitable<void> {
              const auto executor = co_await asio::this_coro::executor;
              for (int n = 0; n < 20; ++n) {  // one second in total
                deadline->begin(executor, 900ms);
                co_await say("done", 50ms);
                deadline->end();
              }
              co_await say("nothing", 1000ms);  // no work in progress
              deadline->begin(executor, 10s);
              deadline->cancel();
            }),
            0);
  EXPECT_EQ(over([](std::shared_ptr<LazyDeadline> deadline) -> asio::awaitable<void> {
              const auto executor = co_await asio::this_coro::executor;
              deadline->begin(executor, 300ms);
              deadline->end();
              deadline->begin(executor, 200ms);  // earlier than the timer's next check
              co_await say("late", 800ms);
            }),
            1);
}

TEST(LazyDeadline, IsNotOverForWhoIsGone) {
  EXPECT_EQ(over([](std::shared_ptr<LazyDeadline>) -> asio::awaitable<void> {
              const auto executor = co_await asio::this_coro::executor;
              auto own = std::make_shared<LazyDeadline>([] { FAIL() << "it is gone"; });
              own->begin(executor, 10ms);
              own.reset();
              co_await say("later", 50ms);
            }),
            0);
}

TEST(Deadline, WorkExceptionIsThrownAtOnce) { EXPECT_THROW(said("", 1ms, 60s), std::bad_alloc); }

}  // namespace
}  // namespace weft::swarmx
