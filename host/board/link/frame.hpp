/// Frames of the link protocol (docs/reference/board_link.md).
#pragma once

#include <optional>

#include "host/board/link/bytes.hpp"

namespace weft::board {

enum class Kind : std::uint8_t { Data, Ack, Hello, About, Poll, Status, Bye, Debug, Answer };

inline constexpr std::size_t kMostPayload = 512;
inline constexpr std::size_t kHeaderBytes = 9, kChecksumBytes = 4;
inline constexpr std::size_t kMostFrame = kHeaderBytes + kMostPayload + kChecksumBytes;

struct Frame {
  std::uint32_t session = 0;
  Kind kind = Kind::Ack;
  std::uint32_t seq = 0;  ///< 8 bits are sent, all 32 are covered by the checksum; likewise `ack`
  std::uint32_t ack = 0;
  std::uint16_t room = 65535;
  Bytes payload = {};

  friend bool operator==(const Frame&, const Frame&) = default;
};

/// Numbers that a receiver expects next; received numbers are extended to the nearest values.
struct Numbers {
  std::uint32_t data = 0;   ///< the `seq` of the next DATA
  std::uint32_t ack = 0;    ///< the oldest DATA that is not acknowledged
  std::uint32_t debug = 0;  ///< the `seq` of the next DEBUG or ANSWER
};

/// Encodes a frame with its checksum, before byte stuffing.
Bytes encode(const Frame& frame);

/// Returns nullopt if the frame is too short or too long, of an unknown kind, `Data` without data, or has a wrong
/// checksum, which is also the case if the sender's numbers are not the ones nearest to `near`.
std::optional<Frame> decode(std::span<const std::uint8_t> bytes, const Numbers& near);

}  // namespace weft::board
