/// The wafer of the contract's edge cases (docs/pe.md, docs/message.md), which run in step and tile by tile.
#pragma once

#include <string>

#include "tests/model/both.hpp"

namespace weft {

inline constexpr WaferShape kShape{.rows = 2, .cols = 3, .sram_kib = 1};  // 512 elements

/// A flag that all tiles have.
inline std::string rows(const std::string& flag) { return "row 0 " + flag + ", row 1 " + flag; }

}  // namespace weft
