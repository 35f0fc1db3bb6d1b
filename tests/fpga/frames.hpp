/// Frames of the link (docs/reference/board_link.md), built and parsed without any code of the board or the host.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sw/base/crc32c.hpp"

namespace weft::test {

using Bytes = std::vector<std::uint8_t>;

enum Kind : std::uint8_t { kData, kAck, kHello, kAbout, kPoll, kStatus, kBye, kDebug, kAnswer };

struct Frame {
  std::uint32_t session = 0;
  std::uint8_t kind = 0;
  std::uint32_t seq = 0, ack = 0;
  std::uint16_t room = 65535;
  Bytes payload = {};
};

/// Appends the `bytes` lowest bytes of a number.
inline void put(Bytes& to, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) to.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

inline std::uint64_t get(std::span<const std::uint8_t> from, std::size_t at, int bytes) {
  std::uint64_t value = 0;
  for (int i = 0; i < bytes; ++i) value |= std::uint64_t{from[at + static_cast<std::size_t>(i)]} << (8 * i);
  return value;
}

/// Checksum of a frame's bytes without their checksum: the upper bits of its numbers change the checksum as three bytes
/// would that are xored into those after `seq`, and after `room`.
inline std::uint32_t checksum(Bytes bytes, const Frame& f) {
  const bool begins = f.kind == kHello || f.kind == kAbout;
  const std::size_t size = bytes.size();
  bytes.resize(std::max<std::size_t>(size, 12));
  for (std::size_t i = 0; i < 3 && !begins; ++i) {
    bytes[6 + i] ^= static_cast<std::uint8_t>(f.seq >> (8 + 8 * i));
    bytes[9 + i] ^= static_cast<std::uint8_t>(f.ack >> (8 + 8 * i));
  }
  std::uint32_t behind = 0;  // the part beyond the last byte
  for (std::size_t i = size; i < bytes.size(); ++i) behind |= std::uint32_t{bytes[i]} << 8 * (i - size);
  return crc32c(std::span(bytes).first(size)) ^ behind;
}

inline Bytes encode(const Frame& f) {
  Bytes bytes;
  put(bytes, f.session, 4);
  for (const std::uint32_t b : {std::uint32_t{f.kind}, f.seq, f.ack}) bytes.push_back(static_cast<std::uint8_t>(b));
  put(bytes, f.room, 2);
  bytes.insert(bytes.end(), f.payload.begin(), f.payload.end());
  put(bytes, checksum(bytes, f), 4);
  return bytes;
}

/// Numbers that a receiver expects.
struct Near {
  std::uint32_t data = 0, ack = 0, debug = 0;
};

/// Empty if the frame is too short or its checksum wrong; `seq` and `ack` are those nearest to the expected numbers.
inline std::optional<Frame> decode(std::span<const std::uint8_t> bytes, const Near& near = {}) {
  if (bytes.size() < 13) return {};
  const auto nearest = [](std::uint8_t low, std::uint32_t to) {
    while ((to - low) % 256 != 0) to += (to - low) % 256 < 129 ? ~0u : 1u;
    return to;
  };
  Frame f;
  f.session = static_cast<std::uint32_t>(get(bytes, 0, 4));
  f.kind = bytes[4];
  f.seq = bytes[5];
  if (f.kind == kData) f.seq = nearest(bytes[5], near.data);
  if (f.kind == kAnswer) f.seq = nearest(bytes[5], near.debug);
  f.ack = f.kind == kAbout ? bytes[6] : nearest(bytes[6], near.ack);
  const Bytes body(bytes.begin(), bytes.end() - 4);
  if (get(bytes, bytes.size() - 4, 4) != checksum(body, f)) return {};
  f.room = static_cast<std::uint16_t>(get(bytes, 7, 2));
  f.payload.assign(bytes.begin() + 9, bytes.end() - 4);
  return f;
}

/// Byte stuffing, with the 0 that ends a frame.
inline Bytes stuff(std::span<const std::uint8_t> frame) {
  Bytes out;
  std::size_t i = 0;
  for (bool more = true; more;) {
    std::size_t n = 0;
    while (n < 254 && i + n < frame.size() && frame[i + n] != 0) ++n;
    out.push_back(static_cast<std::uint8_t>(n + 1));
    out.insert(out.end(), frame.begin() + static_cast<std::ptrdiff_t>(i),
               frame.begin() + static_cast<std::ptrdiff_t>(i + n));
    i += n;
    more = i < frame.size();
    if (more && n < 254) ++i;  // the 0 that this block implies; a block follows, if only an empty one
  }
  out.push_back(0);
  return out;
}

/// Returns the frame without the 0 at its end; empty if it is cut.
inline std::optional<Bytes> unstuff(std::span<const std::uint8_t> bytes) {
  Bytes out;
  for (std::size_t i = 0; i < bytes.size();) {
    const std::size_t n = bytes[i];
    if (n == 0 || i + n > bytes.size()) return {};
    out.insert(out.end(), bytes.begin() + static_cast<std::ptrdiff_t>(i + 1),
               bytes.begin() + static_cast<std::ptrdiff_t>(i + n));
    i += n;
    if (n != 255 && i < bytes.size()) out.push_back(0);
  }
  return out;
}

/// The contents of STATUS.
struct Status {
  std::uint64_t cycles = 0, messages = 0, words = 0;
  std::uint32_t bad = 0, foreign = 0, unwanted = 0, again = 0;
  std::uint8_t stands = 0, rows = 0;
  Bytes flags;
};

inline Status read_status(const Bytes& p) {
  Status s;
  s.cycles = get(p, 0, 8), s.messages = get(p, 8, 8), s.words = get(p, 16, 8);
  s.bad = static_cast<std::uint32_t>(get(p, 24, 4));
  s.foreign = static_cast<std::uint32_t>(get(p, 28, 4));
  s.unwanted = static_cast<std::uint32_t>(get(p, 32, 4));
  s.again = static_cast<std::uint32_t>(get(p, 36, 4));
  s.stands = p[40], s.rows = p[41];
  s.flags.assign(p.begin() + 42, p.end());
  return s;
}

}  // namespace weft::test
