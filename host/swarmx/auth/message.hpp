/// A message of the handshake: a header of 16 bytes, a body, and a proof of its sender if the channel is none.
///
///   bytes 0..3 "WFTJ"   4 kind   5..7 zero   8..9 bytes of the body   10..11 bytes of the proof
///   12..15 CRC-32C of all but these   then the body, then the proof; all integers little endian
///
/// This format must not change in any later version, nor must the beginning of a Hello's body: processes of
/// different versions can recognize each other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace weft::swarmx {

enum class MessageKind : std::uint8_t { Hello = 1, Welcome, Rejected };

struct JoinMessage {
  MessageKind kind = MessageKind::Hello;
  std::vector<std::uint8_t> body;
};

inline constexpr std::size_t kMessageHeader = 16;
inline constexpr std::size_t kMostBody = 2048;   ///< bytes; bounds what a peer can make us allocate
inline constexpr std::size_t kMostProof = 4096;  ///< bytes
using MessageHeader = std::array<std::uint8_t, kMessageHeader>;

struct MessageSizes {
  std::size_t body = 0, proof = 0;
};

/// Returns all bytes of the message.
std::vector<std::uint8_t> encode_message(const JoinMessage& message, std::span<const std::uint8_t> proof);
/// Throws AuthError if `header`, which `peer` has sent, is not valid.
MessageSizes decode_sizes(const MessageHeader& header, const std::string& peer);
/// `rest` is body and proof. Throws AuthError if the checksum is wrong.
JoinMessage decode_message(const MessageHeader& header, std::span<const std::uint8_t> rest, const std::string& peer);
/// Returns the bytes that a proof covers: kind and body.
std::vector<std::uint8_t> proven_part(const JoinMessage& message);

}  // namespace weft::swarmx
