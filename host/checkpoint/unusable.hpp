/// Checkpoints from which no run can continue.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "sw/base/refusal.hpp"

namespace weft::checkpoint {

/// An undamaged checkpoint of a run that had diverged. It is treated as damaged, so that an older one is tried.
struct DivergedCheckpoint : DamagedFile {
  using DamagedFile::DamagedFile;
};

/// Describes the first weight that is not below kWeightLimit (host/memoryx/weight_limit.hpp), e.g. "element 17 is not
/// finite"; empty: all are valid. `first`: number of the first element.
std::optional<std::string> beyond_limit(std::span<const float> weights, std::uint64_t first = 0);
/// As above, for the first number that is not finite.
std::optional<std::string> not_finite(std::span<const float> values, std::uint64_t first = 0);

/// The error that none of a folder's `count` checkpoints can be used; `newest` is the error of the newest one.
Refusal none_can_be_used(const DamagedFile& newest, std::size_t count, std::string_view hint);

}  // namespace weft::checkpoint
