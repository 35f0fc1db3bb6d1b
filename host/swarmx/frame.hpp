/// The unit of every hop of the tree, and what is said with it: a checksummed header of 48 bytes, a checksummed
/// payload.
///
/// A connection, in order of time; `x*` is any number of x, `[x]` one or none:
///
///   down  = Redirect | Plan* (round | Apart)* Stop   Redirect, Plan: between processes only
///   round = Begin Batch* Op* End                     Op: weights of ops 0, 1, ..., each in parts 0, 1, ...
///   up    = [Listens] (Came | Gradient | Loss | Stats | Left | Traffic)* [Error]
///                                                    Listens, Came, Traffic: of nodes in their processes
///   Alive = between any two frames, both ways, between processes only
///
/// Of a rank of MemoryX (memory/README.md):
///
///   down  = Redirect | Plan* Deal State* End (Step | Op | Gradient | Norm | Apply | State* End | State)* Stop
///   up    = (Op | Norm | Done | State | Taken)* [Error]   and Leaves between two of them, once
///
/// docs/swarm.md is the contract: what is said, who waits for whom, and why no bit depends on it.
///
/// All integers are little endian. `op` is an index into plan.ops; of a Batch, the seat it is for. `round` counts over
/// the run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "host/swarmx/bytes.hpp"

namespace weft {

enum class FrameType : std::uint8_t {
  Redirect,
  Plan,
  Begin,
  Batch,
  Op,
  End,
  Apart,
  Stop,
  Listens,
  Came,
  Gradient,
  Loss,
  Stats,
  Left,
  Error,
  Alive,
  Deal,
  Step,
  Norm,
  Apply,
  State,
  Done,
  Taken,
  Traffic,
  Leaves
};
inline constexpr FrameType kLastFrameType = FrameType::Leaves;

struct Frame {
  FrameType type = FrameType::Begin;
  std::uint64_t step = 0;
  std::uint32_t round = 0;
  std::uint32_t op = 0;
  std::uint32_t part = 0;
  std::uint32_t contains = 0;  ///< of a contribution: micro-batches in the sum, which it begins with
  std::uint32_t crc = 0;       ///< of the payload
  std::shared_ptr<const Bytes> payload = nullptr;  ///< shared by all children it goes to; null if empty

  std::span<const std::uint8_t> bytes() const {
    return payload ? std::span<const std::uint8_t>(*payload) : std::span<const std::uint8_t>();
  }
  /// Sets payload and crc.
  Frame& carry(Bytes content);
};

inline constexpr std::size_t kHeaderBytes = 48;
inline constexpr std::size_t kMaxPayload = std::size_t{1} << 20;  ///< bytes; what a peer may make us allocate
inline constexpr std::uint32_t kRoundsUnderWay = 8;               ///< begun, and not ended
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
