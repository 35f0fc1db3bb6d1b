/// How a vdot gathers its indices into groups, and how many of them a PE holds. docs/pe.md, vdot.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace weft {

inline constexpr int kGroupMost = 16;              ///< indices of a group: the slots of a handoff entry
inline constexpr int kNormSlots = kGroupMost / 2;  ///< of a norm, whose scales and shifts are a group
inline constexpr std::size_t kListed = 32;         ///< indices that vdot's lists hold, in
inline constexpr std::size_t kGroupsMost = 4;      ///< closed groups

/// Indices of a full group, by the value of vdot's register rc.
constexpr int full_group(std::uint16_t rc) { return (rc & 15) != 0 ? rc & 15 : kGroupMost; }

/// Messages of W that a running vdot with such groups holds, at least: four closed groups and one that fills, at most
/// 32 indices; and one message that waits for room. What it gathers ahead for the next one is not counted.
constexpr int gathered_most(int full) { return std::min(32, 5 * full) + 1; }

}  // namespace weft
