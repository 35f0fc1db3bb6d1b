/// One direction through a relay, of all its connections: the treatment of the bytes.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace weft::swarmx {

namespace asio = boost::asio;

class Way {
 public:
  /// `cut` closes all connections.
  Way(const asio::any_io_executor& executor, std::function<void()> cut);

  std::chrono::milliseconds delay{0};  ///< delay of each chunk
  std::uint64_t rate = 0;              ///< bytes a second of each connection; 0: unlimited

  /// Executes a command that is possible at once or later: "cut", "hold", "go", "corrupt". False: unknown command.
  bool act(const std::string& what);
  /// Schedules a command after `bytes` bytes, replacing a scheduled one. False if `what` cannot be scheduled.
  bool act_after(std::uint64_t bytes, const std::string& what);

  /// Waits while the direction is held.
  asio::awaitable<void> pass();
  /// The number of bytes, at most `size`, that may be sent before the scheduled command.
  std::size_t most(std::size_t size) const;
  /// Must be called just before `bytes` are sent; may corrupt them.
  void going(std::span<std::uint8_t> bytes);
  /// Must be called after `size` bytes were sent; may execute the scheduled command.
  void gone(std::size_t size);

 private:
  std::function<void()> cut_;
  asio::steady_timer changed_;
  bool held_ = false, corrupt_ = false;
  std::uint64_t left_ = 0;  // bytes before `later_`
  std::string later_;       // empty: none
};

}  // namespace weft::swarmx
