/// A channel that no one else can read, change or replay: TLS over a socket.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <memory>
#include <string>

#include "host/swarmx/auth/channel.hpp"
#include "host/swarmx/auth/tls.hpp"

namespace weft::swarmx {

/// Makes a channel by a handshake with `peer`, the name used in errors. A listener's `progress` is called when TLS
/// answers: the peer has the key, or replays one that has it. Throws AuthError and PeerLost. `per_key`: bytes until the
/// sending key is changed.
asio::awaitable<std::unique_ptr<Channel>> tls_channel(std::shared_ptr<const TlsContext> context, Socket socket,
                                                      JoinSide side, std::string peer, std::function<void()> progress,
                                                      std::uint64_t per_key = Tls::kPerKey);

}  // namespace weft::swarmx
