/// Waiting for a descriptor.
#pragma once

#include "host/board/sender.hpp"

namespace weft::board {

/// Waits for POLLIN, and for POLLOUT if `write`, until `until` at most; the events that are there, 0: none.
short wait_for(int fd, bool write, Time now, Time until);

}  // namespace weft::board
