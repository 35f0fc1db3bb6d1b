#include "tests/swarmx/relay/way.hpp"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

namespace weft::swarmx {

Way::Way(const asio::any_io_executor& executor, std::function<void()> cut)
    : cut_(std::move(cut)), changed_(executor, asio::steady_timer::time_point::max()) {}

bool Way::act(const std::string& what) {
  if (what == "cut") {
    cut_();
  } else if (what == "hold") {
    held_ = true;
  } else if (what == "go") {
    held_ = false;
    changed_.cancel();
  } else if (what == "corrupt") {
    corrupt_ = true;
  } else {
    return false;
  }
  return true;
}

bool Way::act_after(std::uint64_t bytes, const std::string& what) {
  if (what != "cut" && what != "hold" && what != "corrupt") return false;
  if (bytes == 0) return act(what);
  left_ = bytes;
  later_ = what;
  return true;
}

asio::awaitable<void> Way::pass() {
  while (held_) co_await changed_.async_wait(asio::as_tuple(asio::use_awaitable));
}

std::size_t Way::most(std::size_t size) const {
  return later_.empty() ? size : static_cast<std::size_t>(std::min<std::uint64_t>(size, left_));
}

void Way::going(std::span<std::uint8_t> bytes) {
  if (std::exchange(corrupt_, false)) bytes.front() ^= 1;
}

void Way::gone(std::size_t size) {
  if (later_.empty() || (left_ -= size) > 0) return;
  act(std::exchange(later_, {}));
}

}  // namespace weft::swarmx
