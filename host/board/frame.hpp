/// The frames of docs/board_link.md.
#pragma once

#include <optional>

#include "host/board/bytes.hpp"

namespace weft::board {

enum class Kind : std::uint8_t { Data, Ack, Hello, About, Poll, Status, Bye, Debug, Answer };

inline constexpr std::size_t kMostPayload = 512;
inline constexpr std::size_t kHeaderBytes = 9, kChecksumBytes = 4;
inline constexpr std::size_t kMostFrame = kHeaderBytes + kMostPayload + kChecksumBytes;

struct Frame {
  std::uint32_t session = 0;
  Kind kind = Kind::Ack;
  std::uint32_t seq = 0;  ///< carried in 8 bits, vouched for in 32, as `ack`
  std::uint32_t ack = 0;
  std::uint16_t room = 65535;
  Bytes payload = {};

  friend bool operator==(const Frame&, const Frame&) = default;
};

/// What a receiver expects, and so takes numbers for the nearest to.
struct Numbers {
  std::uint32_t data = 0;   ///< the `seq` of the next DATA
  std::uint32_t ack = 0;    ///< the oldest DATA that is not confirmed
  std::uint32_t debug = 0;  ///< the `seq` of the next DEBUG or ANSWER
};

/// The frame's bytes, checksum and all, not stuffed.
Bytes encode(const Frame& frame);

/// Nothing, if it is too short or too long, of an unknown kind, `Data` without data, or its checksum is wrong: as it is
/// if the sender counted otherwise than `near` says.
std::optional<Frame> decode(std::span<const std::uint8_t> bytes, const Numbers& near);

}  // namespace weft::board
