/// A relay in its own thread, controlled by tests.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <string>
#include <thread>

#include "tests/swarmx/relay/relay.hpp"

namespace weft::test {

namespace asio = boost::asio;

class Relayed {
 public:
  explicit Relayed(std::uint16_t target)
      : relay_(std::make_shared<swarmx::Relay>(io_.get_executor(), failure_, std::uint16_t{0}, target)) {
    relay_->start();
    thread_ = guarded_thread(failure_, [this] { io_.run(); });
  }
  ~Relayed() {
    asio::post(io_, [this] {
      relay_->stop();
      guard_.reset();
    });
  }
  Relayed(const Relayed&) = delete;
  Relayed& operator=(const Relayed&) = delete;

  std::uint16_t port() const { return relay_->port(); }
  void command(const std::string& line) {
    asio::post(io_, [this, line] { relay_->command(line); });
  }

 private:
  asio::io_context io_{1};
  asio::executor_work_guard<asio::io_context::executor_type> guard_{io_.get_executor()};
  FirstFailure failure_;
  std::shared_ptr<swarmx::Relay> relay_;
  std::jthread thread_;  // last, since it uses the others
};

}  // namespace weft::test
