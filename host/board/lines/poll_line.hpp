/// Waits for a file descriptor.
#pragma once

#include "host/board/link/sender.hpp"

namespace weft::board {

/// Waits for POLLIN, and for POLLOUT if `write`, at most until `until`. Returns the events, or 0.
short wait_for(int fd, bool write, Time now, Time until);

}  // namespace weft::board
