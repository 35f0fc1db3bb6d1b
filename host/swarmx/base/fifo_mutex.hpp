/// FIFO mutex for coroutines of one thread: they pass one after the other, in the order of their requests.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/experimental/channel.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace weft::swarmx {

class FifoMutex {
 public:
  explicit FifoMutex(const boost::asio::any_io_executor& executor) : taken_(executor, 1) {}

  /// Holds the mutex while it lives. The FifoMutex must outlive it.
  class Lock {
   public:
    explicit Lock(FifoMutex& mutex) : mutex_(&mutex) {}
    Lock(Lock&& other) noexcept : mutex_(other.mutex_) { other.mutex_ = nullptr; }
    Lock& operator=(Lock&&) = delete;
    ~Lock() {
      if (mutex_ != nullptr) mutex_->taken_.try_receive([](auto&&...) {});
    }

   private:
    FifoMutex* mutex_;
  };
  boost::asio::awaitable<Lock> lock() {
    co_await taken_.async_send({}, boost::asio::as_tuple(boost::asio::use_awaitable));
    co_return Lock(*this);
  }

 private:
  boost::asio::experimental::channel<void(boost::system::error_code)> taken_;
};

}  // namespace weft::swarmx
