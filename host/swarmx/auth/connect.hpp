/// Connections to other processes of a run.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "host/swarmx/auth/credentials.hpp"
#include "host/swarmx/auth/hello.hpp"

namespace weft::swarmx {

/// Returns a channel to the listener at `address` (a name or a number) and `port`, once that has let us in. Tries again
/// until `deadline` while there is no listener, or it goes away: processes of a run start in any order.
///
/// Throws AuthError, at once, if the listener is unauthenticated or rejects us, with its text; PeerLost after
/// `deadline`. (A name service that does not answer may take longer: the system's resolver cannot be interrupted.)
asio::awaitable<std::unique_ptr<Channel>> connect_to(std::string address, std::uint16_t port,
                                                     std::shared_ptr<const Credentials> credentials, Hello hello,
                                                     std::chrono::milliseconds deadline);

/// A channel, and the port at which it was opened.
struct Joined {
  std::unique_ptr<Channel> channel;
  std::uint16_t port = 0;
};

/// As connect_to, if the other side listens at one of several ports. Other programs at these ports, silent ones, and
/// other runs are skipped. Throws AuthError at once only if a process of our own run rejects us.
asio::awaitable<Joined> connect_to_one_of(std::string address, std::vector<std::uint16_t> ports,
                                          std::shared_ptr<const Credentials> credentials, Hello hello,
                                          std::chrono::milliseconds deadline);

}  // namespace weft::swarmx
