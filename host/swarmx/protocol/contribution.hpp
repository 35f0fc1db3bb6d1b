/// Contributions that are sent up: the values of a bucket, and the micro-batches whose sum they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "host/swarmx/protocol/frame.hpp"

namespace weft::swarmx {

inline constexpr std::size_t kPartValues = 32768;  ///< values of a gradient per frame

/// Gradient, Loss, Stats: the values of one bucket, summed over some micro-batches. A gradient of a single
/// micro-batch may instead be in fp32, as the wafer returned it, which takes half as many bytes.
struct Contribution {
  std::vector<std::uint32_t> micro_batches = {};  ///< ascending, at least one
  std::span<const std::int64_t> values = {};      ///< in `payload`, as is `words`: nothing is copied
  std::span<const std::uint32_t> words = {};      ///< fp32, instead of `values`
  std::shared_ptr<const Bytes> payload = nullptr;

  std::size_t size() const { return values.size() + words.size(); }
  /// Returns the values, converted to fixed point in `room` if they are words. Words must be below kGradientLimit, here
  /// and in add_to.
  std::span<const std::int64_t> fixed(std::vector<std::int64_t>& room) const;
  /// Adds the values to the elements of `sum`. Returns false if one has wrapped.
  [[nodiscard]] bool add_to(std::span<std::int64_t> sum) const;
};

/// Sets payload and `contains`. At most kMostContained micro-batches fit.
Frame& carry(Frame& frame, std::span<const std::uint32_t> micro_batches, std::span<const std::int64_t> values);
/// Sets the payload to `count` fp32 words of a micro-batch, which `fill` writes in place.
Frame& carry_words(Frame& frame, std::uint32_t micro_batch, std::size_t count,
                   const std::function<void(std::span<std::uint32_t>)>& fill);
/// Variant in two steps: a payload with room for the words, which may be written in any order, and its frame.
Bytes room_for_words(std::uint32_t micro_batch, std::size_t count);
std::span<std::uint32_t> words_in(Bytes& payload);
Frame& carry_words(Frame& frame, Bytes payload);
/// Throws CorruptFrame.
Contribution decode_contribution(const Frame& frame);
inline constexpr std::size_t kMostContained = kMaxPayload / 8 - kPartValues;

}  // namespace weft::swarmx
