#include "host/board/link/frame.hpp"

#include "sw/base/crc32c.hpp"

namespace weft::board {
namespace {

constexpr std::size_t kSeqEnd = 6;  // offset after the byte `seq`

bool numbered(Kind kind) { return kind != Kind::Hello && kind != Kind::About; }

/// Checksum of a frame's bytes without the checksum field, including the untransmitted upper bits of its numbers.
std::uint32_t checksum(std::span<const std::uint8_t> body, const Frame& frame) {
  const bool both = numbered(frame.kind);
  std::uint32_t crc = crc32c(body.first(kSeqEnd));
  if (both) crc ^= frame.seq >> 8;
  crc = crc32c(body.subspan(kSeqEnd, kHeaderBytes - kSeqEnd), crc);
  if (both) crc ^= frame.ack >> 8;
  return crc32c(body.subspan(kHeaderBytes), crc);
}

/// The number with these lower bits that is nearest to `near`.
std::uint32_t nearest(std::uint8_t low, std::uint32_t near) {
  return near + static_cast<std::uint32_t>(static_cast<std::int8_t>(low - static_cast<std::uint8_t>(near)));
}

}  // namespace

Bytes encode(const Frame& frame) {
  Bytes bytes;
  bytes.reserve(kHeaderBytes + frame.payload.size() + kChecksumBytes);
  append(bytes, frame.session);
  append(bytes, static_cast<std::uint8_t>(frame.kind));
  append(bytes, static_cast<std::uint8_t>(frame.seq));
  append(bytes, static_cast<std::uint8_t>(frame.ack));
  append(bytes, frame.room);
  bytes.insert(bytes.end(), frame.payload.begin(), frame.payload.end());
  append(bytes, checksum(bytes, frame));
  return bytes;
}

std::optional<Frame> decode(std::span<const std::uint8_t> bytes, const Numbers& near) {
  if (bytes.size() < kHeaderBytes + kChecksumBytes || bytes.size() > kMostFrame) return {};
  const auto body = bytes.first(bytes.size() - kChecksumBytes);
  ByteReader from(body);
  Frame frame;
  frame.session = from.take<std::uint32_t>();
  const auto kind = from.take<std::uint8_t>();
  if (kind > static_cast<std::uint8_t>(Kind::Answer)) return {};
  frame.kind = static_cast<Kind>(kind);
  frame.seq = from.take<std::uint8_t>();
  frame.ack = from.take<std::uint8_t>();
  if (numbered(frame.kind)) {
    const bool debug = frame.kind == Kind::Debug || frame.kind == Kind::Answer;
    if (debug || frame.kind == Kind::Data)
      frame.seq = nearest(static_cast<std::uint8_t>(frame.seq), debug ? near.debug : near.data);
    frame.ack = nearest(static_cast<std::uint8_t>(frame.ack), near.ack);
  }
  frame.room = from.take<std::uint16_t>();
  if (ByteReader(bytes.last(kChecksumBytes)).take<std::uint32_t>() != checksum(body, frame)) return {};
  const auto payload = from.take_bytes(from.left());
  if (frame.kind == Kind::Data && payload.empty()) return {};
  frame.payload.assign(payload.begin(), payload.end());
  return frame;
}

}  // namespace weft::board
