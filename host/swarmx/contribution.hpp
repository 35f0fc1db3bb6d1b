/// What goes up: the values of a slot, and whose sum they are.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "host/swarmx/frame.hpp"

namespace weft {

inline constexpr std::size_t kPartValues = 32768;  ///< of a gradient, a frame

/// Gradient, Loss, Stats: so many micro-batches' values of one slot, added up.
struct Contribution {
  std::vector<std::uint32_t> micro_batches;  ///< ascending, at least one
  std::span<const std::int64_t> values;      ///< in `payload`: nothing of it is copied
  std::shared_ptr<const Bytes> payload;
};

/// Sets payload and `contains`. There is room for kMostContained micro-batches.
Frame& carry(Frame& frame, std::span<const std::uint32_t> micro_batches, std::span<const std::int64_t> values);
/// The same with so many values, which `fill` writes into the payload.
Frame& carry(Frame& frame, std::span<const std::uint32_t> micro_batches, std::size_t values,
             const std::function<void(std::span<std::int64_t>)>& fill);
/// Throws CorruptFrame.
Contribution decode_contribution(const Frame& frame);
inline constexpr std::size_t kMostContained = kMaxPayload / 8 - kPartValues;

}  // namespace weft
