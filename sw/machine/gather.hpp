/// Groups of indices that a vdot gathers, and the number of indices that a PE holds (docs/reference/pe.md, vdot).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace weft::machine {

inline constexpr int kGroupMost = 16;              ///< indices of a group: the slots of a handoff entry
inline constexpr int kNormSlots = kGroupMost / 2;  ///< slots of a norm whose scales and shifts are a group
inline constexpr std::size_t kListed = 32;         ///< indices that vdot's lists hold
inline constexpr std::size_t kGroupsMost = 4;      ///< closed groups that vdot's lists hold

/// Indices of a full group, by the value of vdot's register rc.
constexpr int full_group(std::uint16_t rc) { return (rc & 15) != 0 ? rc & 15 : kGroupMost; }

/// Messages of W that a running vdot with groups of `full` indices can hold, at least: four closed groups and one being
/// filled, up to 32 indices; and one message that waits for room. Indices gathered for the next vdot are not counted.
constexpr int gathered_most(int full) { return std::min(32, 5 * full) + 1; }

}  // namespace weft::machine
