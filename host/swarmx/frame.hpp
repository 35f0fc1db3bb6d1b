/// The unit of every hop of the tree, and what is said with it: a checksummed header of 48 bytes, a checksummed
/// payload.
///
/// A connection, in order of time; `x*` is any number of x, `[x]` one or none:
///
///   down  = round* Stop                          rounds 0, 1, ... of one step, then of another
///   round = Begin Op* End                        Begin: Round. Op: messages of ops 0, 1, ..., each in parts 0, 1, ...
///   up    = [Hello] ((Gradient | Loss)* Stats)* [Error]    Hello, over TCP only: the name of who comes
///   Alive = between any two frames, both ways, over TCP only
///
/// What comes up for a round are contributions: Gradients and Losses in any order, one for each op and part that the
/// plan returns (round_returns.hpp), then Stats. Each is the sum over all wafers below its sender.
///
/// What a contribution contains. In round r of N wafers, wafer k takes micro-batch r * N + k of the step if there is
/// one, or is idle. So whoever receives knows of how many micro-batches a contribution must be, and `contains` must be
/// that number. 0 comes without payload, more with exactly the planned length. The root checks the whole again.
///
/// Who waits for whom. Downwards the slowest wafer sets the pace: a full queue waits. Upwards everybody always reads.
/// At most kRoundsUnderWay rounds have begun and not ended, which bounds what a node holds for those who are ahead.
/// Within a process a link is a socket pair, beside which payloads go from hand to hand (handover.hpp). No deadline is
/// needed: the end of each thread and coroutine is known.
/// Between processes
///   - whoever connects says its name within `silence`, and all have come within `timeout`, or the run ends;
///   - both sides say Alive when they have said nothing else for a sixth of `silence`, also while a wafer computes;
///   - who has said nothing for `silence` is lost, and so is a parent that has taken nothing for `silence`. A child may
///     take nothing for longer: it computes, and says Alive.
///
/// Who is told of a failure. Within a process, its first failure (sw/base/failure.hpp), with its own type; it ends the
/// process's part of the run. A leaf of another process says Error, its last frame, and its parent fails with it. Then
/// all links are closed, which ends the leaves.
///
/// All integers are little endian. `op` is an index into plan.ops.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace weft {

enum class FrameType : std::uint8_t { Hello, Begin, Op, End, Stop, Gradient, Loss, Stats, Error, Alive };

using Bytes = std::vector<std::uint8_t>;

struct Frame {
  FrameType type = FrameType::Hello;
  std::uint64_t step = 0;
  std::uint32_t round = 0;
  std::uint32_t op = 0;
  std::uint32_t part = 0;
  std::uint32_t contains = 0;                      ///< of a contribution: micro-batches in the sum
  std::uint32_t crc = 0;                           ///< of the payload
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
