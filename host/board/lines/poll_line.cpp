#include "host/board/lines/poll_line.hpp"

#include <poll.h>

#include <algorithm>

namespace weft::board {

short wait_for(int fd, bool write, Time now, Time until) {
  pollfd wanted{.fd = fd, .events = static_cast<short>(POLLIN | (write ? POLLOUT : 0)), .revents = 0};
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - now).count();
  const int ms = static_cast<int>(std::clamp<std::int64_t>(left, 0, 60000));
  return ::poll(&wanted, 1, ms) > 0 ? wanted.revents : static_cast<short>(0);  // a signal ends the wait early
}

}  // namespace weft::board
