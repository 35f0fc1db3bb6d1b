/// Checkpoints that no run can go on with.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "sw/base/refusal.hpp"

namespace weft {

/// A checkpoint that is whole, of a run that had diverged. An older one may serve, as if it were damaged.
struct DivergedCheckpoint : DamagedFile {
  using DamagedFile::DamagedFile;
};

/// What is wrong with the first weight that is not below kWeightLimit (host/memoryx/weight_limit.hpp): "element 17 is
/// not finite"; nothing: all are good.
/// `first`: number of the first of them.
std::optional<std::string> beyond_limit(std::span<const float> weights, std::uint64_t first = 0);
/// The same of the first number that is not finite.
std::optional<std::string> not_finite(std::span<const float> values, std::uint64_t first = 0);

/// That none of a folder's `count` checkpoints can be used, of which the newest is said to be `newest`.
Refusal none_can_be_used(const DamagedFile& newest, std::size_t count, std::string_view hint);

}  // namespace weft
