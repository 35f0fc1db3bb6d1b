/// The greeting's messages, over a channel.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/system/error_code.hpp>
#include <string>

#include "host/swarmx/auth/credentials.hpp"
#include "host/swarmx/auth/message.hpp"

namespace weft {

/// With its proof, where the channel is none. Throws PeerLost; `peer` is the name errors use.
asio::awaitable<void> say(const Secured& to, JoinMessage message, std::string peer);
/// The next message. Throws PeerLost, and Refused if it is none, or not proven to be the other side's.
asio::awaitable<JoinMessage> hear(const Secured& from, std::string peer);
/// Throws PeerLost: `peer` is gone before the greeting is over.
[[noreturn]] void lost_in_greeting(const std::string& peer, const boost::system::error_code& error);

}  // namespace weft
