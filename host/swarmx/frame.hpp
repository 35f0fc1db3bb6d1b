/// The unit of every hop of the tree: a checksummed header of 40 bytes and a checksummed payload.
///
///   down: Begin (Round), Op (messages) ..., End, for each round; Stop at the end of a run
///   up:   Gradient, Loss as each is complete, Stats last, for each round; Error at any time; Hello first
///
/// All integers are little endian. `op` is an index into plan.ops; a long op or gradient comes in parts 0, 1, ...
/// A contribution without payload says: nothing from here for this round.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace weft {

enum class FrameType : std::uint8_t { Hello, Begin, Op, End, Stop, Gradient, Loss, Stats, Error };

using Bytes = std::vector<std::uint8_t>;

struct Frame {
  FrameType type = FrameType::Hello;
  std::uint64_t step = 0;
  std::uint32_t round = 0;
  std::uint32_t op = 0;
  std::uint32_t part = 0;
  std::uint32_t crc = 0;                           ///< of the payload
  std::shared_ptr<const Bytes> payload = nullptr;  ///< shared by all children it goes to; null if empty

  std::span<const std::uint8_t> bytes() const {
    return payload ? std::span<const std::uint8_t>(*payload) : std::span<const std::uint8_t>();
  }
  /// Sets payload and crc.
  Frame& carry(Bytes content);
};

inline constexpr std::size_t kHeaderBytes = 40;
inline constexpr std::size_t kMaxPayload = std::size_t{1} << 20;  ///< bytes; what a peer may make us allocate
using HeaderBytes = std::array<std::uint8_t, kHeaderBytes>;

struct Header {
  Frame frame;  ///< without its payload
  std::uint32_t length = 0;
};

HeaderBytes encode_header(const Frame& frame);
/// Throws CorruptFrame; `peer` is who sent it.
Header decode_header(const HeaderBytes& bytes, const char* peer);
/// Takes the payload; throws CorruptFrame if it does not match its checksum.
Frame with_payload(Header header, Bytes payload, const char* peer);

}  // namespace weft
