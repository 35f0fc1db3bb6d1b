/// Contents of frames.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/swarmx/base/error.hpp"
#include "host/swarmx/protocol/frame.hpp"
#include "sw/base/token_id.hpp"

namespace weft::swarmx {

/// Loss: the sum over tokens, in multiples of 2^-32 nats, and the number of tokens.
enum LossField : std::uint8_t { kLossSum, kLossTokens, kLossFields };
/// Stats of a pass: cycles is the maximum over the wafers, the others are sums.
enum StatsField : std::uint8_t { kStatsCycles, kStatsFmaLanes, kStatsBeats, kStatsEdgeMessages, kStatsFields };

/// The data of a micro-batch.
struct MicroBatch {
  std::vector<TokenId> inputs;  ///< [sequences][seq], sequences <= plan.model.micro_batch
  std::vector<TokenId> labels;  ///< as inputs; compiler::label_of()
  float class_weight = 1;       ///< Plan::tokens()
};

/// Assignment of a micro-batch to a member.
struct Task {
  std::uint32_t member_id = 0;
  std::uint32_t micro_batch = 0;
  bool unmerged = false;  ///< its contributions are not merged with others'
  bool operator==(const Task&) const = default;
};
/// Begin. Member ids are ascending, no micro-batch occurs twice.
struct Pass {
  bool train = true;  ///< all ops; false: forward_ops only
  std::vector<Task> tasks;
};
Bytes encode_pass(const Pass& pass);
/// Throws CorruptFrame.
Pass decode_pass(std::span<const std::uint8_t> bytes);

/// Left, Came: member ids, ascending.
Bytes encode_member_ids(std::span<const std::uint32_t> member_ids);
/// Throws CorruptFrame.
std::vector<std::uint32_t> decode_member_ids(std::span<const std::uint8_t> bytes);

/// Batch: inputs, labels, and the weight as four bytes unless it is 1.
Bytes encode_batch(const MicroBatch& batch);
/// Returns as many inputs as labels. Throws CorruptFrame.
MicroBatch decode_batch(std::span<const std::uint8_t> bytes);

/// Error: the kind of exception, so that the parent throws the same, and its text.
enum class ErrorKind : std::uint8_t { Swarm, GradientOverflow, WaferHang, LossNotFinite, Diverged };
Frame error_frame(ErrorKind kind, std::string_view text);
/// Throws the exception of an Error. `sender` precedes the text unless that begins with it.
[[noreturn]] void throw_error(std::span<const std::uint8_t> bytes, std::string_view sender);

/// Frames from and to ranks of MemoryX: numbers, one after the other.
template <class Number>
Bytes encode_numbers(std::span<const Number> numbers) {
  Bytes bytes(numbers.size_bytes());
  if (!numbers.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}
/// Returns the numbers in `bytes`, which must be a payload. Throws CorruptFrame.
template <class Number>
std::span<const Number> decode_numbers(std::span<const std::uint8_t> bytes) {
  if (bytes.size() % sizeof(Number) != 0) throw CorruptFrame("a frame of numbers has a wrong length");
  return {reinterpret_cast<const Number*>(bytes.data()), bytes.size() / sizeof(Number)};  // a payload is aligned
}

Bytes encode_text(std::string_view text);
std::string decode_text(std::span<const std::uint8_t> bytes);

}  // namespace weft::swarmx
