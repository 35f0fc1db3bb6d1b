/// A deadline: some work next to a timer. The one operator for all waiting on other processes.
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

namespace weft::swarmx {

namespace asio = boost::asio;

/// Returns what `work` returns, or nothing if it takes longer than `time`; it has then been cancelled and has ended.
/// Throws what `work` throws. Cancelled work must throw instead of returning.
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

/// Overload for work without a result: returns whether it finished in time.
inline asio::awaitable<bool> within(std::chrono::milliseconds time, asio::awaitable<void> work) {
  const auto returns = [](asio::awaitable<void> done) -> asio::awaitable<bool> {
    co_await std::move(done);
    co_return true;
  };
  auto worked = returns(std::move(work));
  const std::optional<bool> done = co_await within(time, std::move(worked));
  co_return done.has_value();
}

}  // namespace weft::swarmx
