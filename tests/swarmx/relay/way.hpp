/// One direction through a relay, of all its connections: what is done to the bytes.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace weft {

namespace asio = boost::asio;

class Way {
 public:
  /// `cut` closes all connections.
  Way(const asio::any_io_executor& executor, std::function<void()> cut);

  std::chrono::milliseconds delay{0};  ///< of each chunk
  std::uint64_t rate = 0;              ///< bytes a second of each connection; 0: as fast as it goes

  /// What can be done now, or after so many more bytes: "cut", "hold", "go", "corrupt". False: it is none of these.
  bool act(const std::string& what);
  /// False if `what` is nothing to do later. One at a time: another one replaces it.
  bool act_after(std::uint64_t bytes, const std::string& what);

  /// Waits while it holds.
  asio::awaitable<void> pass();
  /// How many of `size` bytes may go before something is done.
  std::size_t most(std::size_t size) const;
  /// Just before `bytes` go: may corrupt them.
  void going(std::span<std::uint8_t> bytes);
  /// They went: it may be time to act.
  void gone(std::size_t size);

 private:
  std::function<void()> cut_;
  asio::steady_timer changed_;
  bool held_ = false, corrupt_ = false;
  std::uint64_t left_ = 0;  // bytes before `later_`
  std::string later_;       // empty: nothing
};

}  // namespace weft
