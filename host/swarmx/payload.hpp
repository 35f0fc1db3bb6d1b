/// What frames carry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/swarmx/frame.hpp"
#include "sw/machine/message.hpp"

namespace weft {

inline constexpr std::size_t kPartMessages = 32768;  ///< of an op, a frame
inline constexpr std::size_t kPartValues = 32768;    ///< of a gradient, a frame

/// Op: {count:32}, the messages' data, then one bit each that says which are control messages.
Bytes encode_messages(std::span<const Message> messages);
/// Throws CorruptFrame.
void decode_messages(std::span<const std::uint8_t> bytes, std::vector<Message>& messages);

/// Gradient, Loss, Stats: 64-bit integers.
Bytes encode_integers(std::span<const std::int64_t> values);
/// Throws CorruptFrame.
std::vector<std::int64_t> decode_integers(std::span<const std::uint8_t> bytes);

/// Loss: sum over tokens of nats in multiples of 2^-32, and the tokens.
enum LossField : std::uint8_t { kLossSum, kLossTokens, kLossFields };
/// Stats: of a round; cycles is the maximum over the wafers, the others are sums.
enum StatsField : std::uint8_t { kStatsCycles, kStatsFmaLanes, kStatsBeats, kStatsEdgeMessages, kStatsFields };

/// Begin.
struct Round {
  bool train = true;                ///< all ops; false: forward_ops only
  std::uint32_t wafers = 1;         ///< wafer k takes micro-batch round * wafers + k
  std::uint32_t micro_batches = 1;  ///< of the step
};
Bytes encode_round(const Round& round);
/// Throws CorruptFrame.
Round decode_round(std::span<const std::uint8_t> bytes);
/// Micro-batches that wafers first .. first + count - 1 take in round `number` of the step.
std::uint32_t taken(const Round& round, std::uint32_t number, int first, int count);

/// Error: the kind of exception it is, so that the parent throws the same, and its text.
enum class ErrorKind : std::uint8_t { Swarm, GradientOverflow, WaferStuck, LossNotFinite, Diverged };
Frame error_frame(ErrorKind kind, std::string_view text);
/// `sender` is named if the text does not begin with it.
[[noreturn]] void throw_error(std::span<const std::uint8_t> bytes, std::string_view sender);

Bytes encode_text(std::string_view text);
std::string decode_text(std::span<const std::uint8_t> bytes);

}  // namespace weft
