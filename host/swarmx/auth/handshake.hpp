/// Transfer of handshake's messages over a channel.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/system/error_code.hpp>
#include <string>

#include "host/swarmx/auth/credentials.hpp"
#include "host/swarmx/auth/message.hpp"

namespace weft::swarmx {

/// Sends a message, with its proof if the channel is none. Throws PeerLost; `peer` is the name used in errors.
asio::awaitable<void> send_message(const Secured& to, JoinMessage message, std::string peer);
/// Receives the next message. Throws PeerLost, and AuthError if it is invalid, or not proven to be the other side's.
asio::awaitable<JoinMessage> receive_message(const Secured& from, std::string peer);
/// Throws PeerLost: `peer` was lost before the end of the handshake.
[[noreturn]] void lost_in_handshake(const std::string& peer, const boost::system::error_code& error);

}  // namespace weft::swarmx
