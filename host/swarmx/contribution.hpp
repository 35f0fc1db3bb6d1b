/// What goes up: the values of a slot, and whose sum they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "host/swarmx/frame.hpp"

namespace weft {

inline constexpr std::size_t kPartValues = 32768;  ///< of a gradient, a frame

/// Gradient, Loss, Stats: so many micro-batches' values of one slot, added up. Or a gradient of one micro-batch, as its
/// wafer returned it: these are half as many bytes.
struct Contribution {
  std::vector<std::uint32_t> micro_batches = {};  ///< ascending, at least one
  std::span<const std::int64_t> values = {};      ///< in `payload`, as the next: nothing of it is copied
  std::span<const std::uint32_t> words = {};      ///< fp32, in the place of `values`
  std::shared_ptr<const Bytes> payload = nullptr;

  std::size_t size() const { return values.size() + words.size(); }
  /// The values, in `room` if they were words. These must be below kGradientLimit, here and below.
  std::span<const std::int64_t> fixed(std::vector<std::int64_t>& room) const;
  /// sum[i] += the values. False if a sum wrapped.
  [[nodiscard]] bool add_to(std::span<std::int64_t> sum) const;
};

/// Sets payload and `contains`. There is room for kMostContained micro-batches.
Frame& carry(Frame& frame, std::span<const std::uint32_t> micro_batches, std::span<const std::int64_t> values);
/// So many of a micro-batch's words of fp32, which `fill` writes into the payload.
Frame& carry_words(Frame& frame, std::uint32_t micro_batch, std::size_t count,
                   const std::function<void(std::span<std::uint32_t>)>& fill);
/// The same in pieces: a payload with room for the words, which may come in any order, and its frame.
Bytes room_for_words(std::uint32_t micro_batch, std::size_t count);
std::span<std::uint32_t> words_in(Bytes& payload);
Frame& carry_words(Frame& frame, Bytes payload);
/// Throws CorruptFrame.
Contribution decode_contribution(const Frame& frame);
inline constexpr std::size_t kMostContained = kMaxPayload / 8 - kPartValues;

}  // namespace weft
