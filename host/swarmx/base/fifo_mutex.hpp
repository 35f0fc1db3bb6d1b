/// FIFO mutex for coroutines of one thread: they pass one after the other, in the order of their requests.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/experimental/channel.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace weft {

class Turns {
 public:
  explicit Turns(const boost::asio::any_io_executor& executor) : taken_(executor, 1) {}

  /// Holds the mutex while it lives. The Turns must outlive it.
  class Turn {
   public:
    explicit Turn(Turns& turns) : turns_(&turns) {}
    Turn(Turn&& other) noexcept : turns_(other.turns_) { other.turns_ = nullptr; }
    Turn& operator=(Turn&&) = delete;
    ~Turn() {
      if (turns_ != nullptr) turns_->taken_.try_receive([](auto&&...) {});
    }

   private:
    Turns* turns_;
  };
  boost::asio::awaitable<Turn> turn() {
    co_await taken_.async_send({}, boost::asio::as_tuple(boost::asio::use_awaitable));
    co_return Turn(*this);
  }

 private:
  boost::asio::experimental::channel<void(boost::system::error_code)> taken_;
};

}  // namespace weft
