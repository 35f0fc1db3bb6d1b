#include "host/board/frame.hpp"

#include "sw/base/crc32c.hpp"

namespace weft::board {

Bytes encode(const Frame& frame) {
  Bytes bytes;
  bytes.reserve(kHeaderBytes + frame.payload.size() + kChecksumBytes);
  append(bytes, frame.session);
  append(bytes, static_cast<std::uint8_t>(frame.kind));
  append(bytes, frame.seq);
  append(bytes, frame.ack);
  append(bytes, frame.room);
  bytes.insert(bytes.end(), frame.payload.begin(), frame.payload.end());
  append(bytes, crc32c(bytes));
  return bytes;
}

std::optional<Frame> decode(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < kHeaderBytes + kChecksumBytes || bytes.size() > kMostFrame) return {};
  const auto body = bytes.first(bytes.size() - kChecksumBytes);
  if (ByteReader(bytes.last(kChecksumBytes)).take<std::uint32_t>() != crc32c(body)) return {};
  ByteReader from(body);
  Frame frame;
  frame.session = from.take<std::uint32_t>();
  const auto kind = from.take<std::uint8_t>();
  if (kind > static_cast<std::uint8_t>(Kind::Answer)) return {};
  frame.kind = static_cast<Kind>(kind);
  frame.seq = from.take<std::uint8_t>();
  frame.ack = from.take<std::uint8_t>();
  frame.room = from.take<std::uint16_t>();
  const auto payload = from.take_bytes(from.left());
  if (frame.kind == Kind::Data && payload.empty()) return {};
  frame.payload.assign(payload.begin(), payload.end());
  return frame;
}

}  // namespace weft::board
