#include "host/swarmx/link/local_payloads.hpp"

#include <sys/socket.h>

#include "sw/base/invariant.hpp"

namespace weft::swarmx {

Frame LocalPayloads::take(Header header) {
  if (header.length == 0) return std::move(header.frame);
  const std::lock_guard lock(mutex_);
  invariant(!payloads_.empty() && payloads_.front()->size() == header.length, "a payload arrives before its header");
  header.frame.payload = std::move(payloads_.front());
  payloads_.pop_front();
  return std::move(header.frame);
}

void few_headers(int socket) noexcept {
  const int least = 0;
  ::setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &least, sizeof least);
}

}  // namespace weft::swarmx
