/// The unit of every hop of the tree, and the protocol in these units: a header of 48 bytes and a payload, both with a
/// checksum.
///
/// A connection, in order of time; `x*` is any number of x, `[x]` one or none:
///
///   down  = Stop | Redirect [Stop] | Plan* (pass | Unmerged)* [Stop]
///                                                    Redirect, Plan: between processes only; no Stop: the root is lost
///   pass  = Begin Batch* Op* End                     Op: weights of ops 0, 1, ..., each in parts 0, 1, ...
///   up    = [Listens] (Came | Gradient | Loss | Stats | Left | Traffic)* [Error]
///                                                    Listens, Traffic: from nodes in processes of their own;
///                                                    Came: from these, and from a wafer to such a node
///   Alive = heartbeat, between any two frames, both ways, between processes only
///
/// The connection of a rank of MemoryX (memory/README.md):
///
///   down  = Redirect | Plan* Deal State* End (Step | Op | Gradient | Norm | Apply | State* End | State)* Stop
///   up    = (Op | Norm | Done | State | Taken)* [Error]   and Leaves between any two of them, once
///
/// docs/reference/swarm_protocol.md is the contract: the frames, their order and the deadlines.
/// docs/explanation/swarm.md explains why losses and timing change no bit.
///
/// All integers are little endian. `op` is an index into plan.ops; in a Batch, the id of the member it is for. `pass`
/// numbers the passes of the run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "host/swarmx/base/bytes.hpp"

namespace weft::swarmx {

enum class FrameType : std::uint8_t {
  Redirect,
  Plan,
  Begin,
  Batch,
  Op,
  End,
  Unmerged,
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
  std::uint32_t pass = 0;
  std::uint32_t op = 0;
  std::uint32_t part = 0;
  std::uint32_t contains = 0;                      ///< number of micro-batches in a contribution, listed at its start
  std::uint32_t crc = 0;                           ///< checksum of the payload
  std::shared_ptr<const Bytes> payload = nullptr;  ///< shared by all children it is sent to; null if empty

  std::span<const std::uint8_t> bytes() const {
    return payload ? std::span<const std::uint8_t>(*payload) : std::span<const std::uint8_t>();
  }
  /// Sets payload and crc.
  Frame& carry(Bytes content);
};

inline constexpr std::size_t kHeaderBytes = 48;
inline constexpr std::size_t kMaxPayload = std::size_t{1} << 20;  ///< bytes; bounds what a peer can make us allocate
inline constexpr std::uint32_t kPassesUnderWay = 8;               ///< passes that may be begun and not ended
using HeaderBytes = std::array<std::uint8_t, kHeaderBytes>;

struct Header {
  Frame frame;  ///< without its payload
  std::uint32_t length = 0;
};

HeaderBytes encode_header(const Frame& frame);
/// Throws CorruptFrame; `peer` names the sender.
Header decode_header(const HeaderBytes& bytes, const char* peer);
/// Moves the payload into the frame; throws CorruptFrame if it does not match its checksum.
Frame with_payload(Header header, Bytes payload, const char* peer);

}  // namespace weft::swarmx
