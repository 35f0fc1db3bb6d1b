#include "host/swarmx/auth/handshake.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <utility>

#include "host/swarmx/auth/auth_error.hpp"

namespace weft::swarmx {

asio::awaitable<void> send_message(const Secured& to, JoinMessage message, std::string peer) {
  std::vector<std::uint8_t> proof;
  if (to.proof) proof = to.proof->of(proven_part(message));
  const auto bytes = encode_message(message, proof);
  const asio::const_buffer buffer = asio::buffer(bytes);
  if (const auto error = co_await to.channel->write({&buffer, 1})) lost_in_handshake(peer, error);
}

asio::awaitable<JoinMessage> receive_message(const Secured& from, std::string peer) {
  MessageHeader header{};
  if (const auto read = co_await from.channel->read(header, header.size()); read.error)
    lost_in_handshake(peer, read.error);
  const MessageSizes sizes = decode_sizes(header, peer);
  std::vector<std::uint8_t> rest(sizes.body + sizes.proof);
  if (!rest.empty()) {
    if (const auto read = co_await from.channel->read(rest, rest.size()); read.error)
      lost_in_handshake(peer, read.error);
  }
  JoinMessage message = decode_message(header, rest, peer);
  if (from.proof) from.proof->check(proven_part(message), std::span(rest).subspan(sizes.body));
  co_return message;
}

void lost_in_handshake(const std::string& peer, const boost::system::error_code& error) {
  const bool closed = error == asio::error::eof || error == asio::error::connection_reset ||
                      error == asio::error::broken_pipe || error == asio::error::operation_aborted;
  throw PeerLost(peer + (closed ? " closed its connection" : " is lost: " + error.message()) +
                 " before the handshake. HINT: check why the process ended.");
}

}  // namespace weft::swarmx
