#include "host/swarmx/deadline.hpp"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <new>
#include <string>

#include "sw/base/failure.hpp"

namespace weft {
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

TEST(Deadline, WhatWorkThrowsIsThrownAtOnce) { EXPECT_THROW(said("", 1ms, 60s), std::bad_alloc); }

}  // namespace
}  // namespace weft
