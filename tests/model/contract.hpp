/// The wafer for the edge cases of the contract (docs/reference/pe.md, docs/reference/message.md), tested in lockstep
/// and tile by tile.
#pragma once

#include <string>

#include "tests/model/both.hpp"

namespace weft::model {

inline constexpr machine::WaferShape kShape{.rows = 2, .cols = 3, .sram_kib = 1};  // 512 elements

/// The text of a flag that is set in all rows.
inline std::string rows(const std::string& flag) { return "row 0 " + flag + ", row 1 " + flag; }

}  // namespace weft::model
