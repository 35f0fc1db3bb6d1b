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
  std::uint8_t seq = 0;
  std::uint8_t ack = 0;
  std::uint16_t room = 65535;
  Bytes payload = {};

  friend bool operator==(const Frame&, const Frame&) = default;
};

/// The frame's bytes, checksum and all, not stuffed.
Bytes encode(const Frame& frame);

/// Nothing, if it is too short or too long, of an unknown kind, `Data` without data, or its checksum is wrong.
std::optional<Frame> decode(std::span<const std::uint8_t> bytes);

}  // namespace weft::board
