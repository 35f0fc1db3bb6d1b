#include "host/swarmx/auth/message.hpp"

#include <algorithm>

#include "host/swarmx/auth/auth_error.hpp"
#include "sw/base/crc32c.hpp"
#include "sw/base/invariant.hpp"

namespace weft::swarmx {
namespace {

constexpr std::array<std::uint8_t, 4> kMagic{'W', 'F', 'T', 'J'};
constexpr std::size_t kChecked = 12;

std::uint32_t checksum(std::span<const std::uint8_t> header, std::span<const std::uint8_t> rest) {
  return crc32c(rest, crc32c(header.first(kChecked)));
}
void put16(std::uint8_t* at, std::size_t value) {
  at[0] = static_cast<std::uint8_t>(value & 255);
  at[1] = static_cast<std::uint8_t>(value >> 8);
}
std::size_t get16(const std::uint8_t* at) { return at[0] | static_cast<std::size_t>(at[1]) << 8; }

[[noreturn]] void no_message(const std::string& peer, const char* why) {
  throw AuthError(peer + " sent no valid hello: " + why +
                  ". HINT: check which program sent the hello, and that all ranks run this one.");
}

}  // namespace

std::vector<std::uint8_t> encode_message(const JoinMessage& message, std::span<const std::uint8_t> proof) {
  invariant(message.body.size() <= kMostBody && proof.size() <= kMostProof, "a message of the handshake is short");
  std::vector<std::uint8_t> bytes(kMessageHeader + message.body.size() + proof.size());
  std::ranges::copy(kMagic, bytes.begin());
  bytes[4] = static_cast<std::uint8_t>(message.kind);
  put16(&bytes[8], message.body.size());
  put16(&bytes[10], proof.size());
  const auto rest = std::ranges::copy(message.body, bytes.begin() + kMessageHeader).out;
  std::ranges::copy(proof, rest);
  const std::uint32_t sum = checksum(bytes, std::span(bytes).subspan(kMessageHeader));
  for (std::size_t n = 0; n < 4; ++n) bytes[kChecked + n] = static_cast<std::uint8_t>(sum >> 8 * n & 255);
  return bytes;
}

MessageSizes decode_sizes(const MessageHeader& header, const std::string& peer) {
  if (!std::ranges::equal(std::span(header).first(4), kMagic)) no_message(peer, "the message begins otherwise");
  const MessageSizes sizes{get16(&header[8]), get16(&header[10])};
  if (sizes.body > kMostBody || sizes.proof > kMostProof) no_message(peer, "the message is too long");
  return sizes;
}

JoinMessage decode_message(const MessageHeader& header, std::span<const std::uint8_t> rest, const std::string& peer) {
  const MessageSizes sizes = decode_sizes(header, peer);
  invariant(rest.size() == sizes.body + sizes.proof, "a message is as long as its header says");
  const std::uint32_t sum = checksum(header, rest);
  for (std::size_t n = 0; n < 4; ++n) {
    if (header[kChecked + n] != (sum >> 8 * n & 255)) no_message(peer, "the checksum of the message is wrong");
  }
  const auto body = rest.first(sizes.body);
  return {static_cast<MessageKind>(header[4]), {body.begin(), body.end()}};
}

std::vector<std::uint8_t> proven_part(const JoinMessage& message) {
  std::vector<std::uint8_t> part(1 + message.body.size(), static_cast<std::uint8_t>(message.kind));
  std::ranges::copy(message.body, part.begin() + 1);
  return part;
}

}  // namespace weft::swarmx
