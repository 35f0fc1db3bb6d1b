/// A deadline: some work, and a timer beside it. One operator for all that waits on other processes.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <exception>
#include <optional>
#include <utility>

namespace weft {

namespace asio = boost::asio;

/// What `work` returns, or nothing if it takes longer than `time`; it is then cancelled and has ended. Throws what
/// `work` throws. Work that is cancelled must throw, too, and not return.
template <class T>
asio::awaitable<std::optional<T>> within(std::chrono::milliseconds time, asio::awaitable<T> work) {
  const auto executor = co_await asio::this_coro::executor;
  asio::steady_timer timer(executor, time);
  auto both = asio::experimental::make_parallel_group(asio::co_spawn(executor, std::move(work), asio::deferred),
                                                      timer.async_wait(asio::deferred));
  auto [order, failure, result, timed] =
      co_await both.async_wait(asio::experimental::wait_for_one(), asio::use_awaitable);
  if (!failure) co_return std::optional<T>(std::move(result));
  if (order[0] == 0) std::rethrow_exception(failure);
  co_return std::nullopt;
}

/// The same for work that returns nothing: whether it was done in time.
inline asio::awaitable<bool> within(std::chrono::milliseconds time, asio::awaitable<void> work) {
  const auto returns = [](asio::awaitable<void> done) -> asio::awaitable<bool> {
    co_await std::move(done);
    co_return true;
  };
  auto worked = returns(std::move(work));
  const std::optional<bool> done = co_await within(time, std::move(worked));
  co_return done.has_value();
}

}  // namespace weft
