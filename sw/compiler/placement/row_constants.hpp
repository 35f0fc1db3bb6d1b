/// The constants of each row, on which kernels branch besides their arguments.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sw/compiler/model/model_shape.hpp"
#include "sw/compiler/placement/spaces.hpp"
#include "sw/machine/shape.hpp"

namespace weft::compiler {

/// Constants of a row, the same in all of its tiles.
struct RowConstants {
  /// Elements 0..7 of SRAM (MemoryPlan::kCntHidden ..): features of the row, of the residual stream, the filter and the
  /// vocabulary; its heads, and a head's features in it; the first and the last row of its head's group; its part of an
  /// index.
  std::array<std::uint16_t, 8> words{};
  std::uint16_t rotary_pairs = 0;  ///< rotated pairs of a head, at the address passed to `rotary`
};

/// [row]
std::vector<RowConstants> row_constants(const ModelShape& model, const machine::WaferShape& wafer,
                                        const Spaces& spaces);

}  // namespace weft::compiler
