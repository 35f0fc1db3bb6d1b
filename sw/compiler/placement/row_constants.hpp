/// The constants of each row, on which kernels branch besides their arguments.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sw/compiler/model/model_shape.hpp"
#include "sw/compiler/placement/spaces.hpp"
#include "sw/machine/shape.hpp"

namespace weft::compiler {

/// Places of the constants of attention whose rows share the keys (sw/kernels/attention_shared*.s, SHARE_*).
enum ShareConstant : std::uint8_t {
  kShareKey,       ///< the row's first key
  kShareQueries,   ///< its first query
  kShareAmong,     ///< the entry of R of its first query among those of the column
  kShareFirst,     ///< its features in an array of all features of the head,
  kShareEnd,       ///< and what is behind them
  kShareBehind,    ///< the size of that
  kShareOwn,       ///< beats of its own features
  kShareMine,      ///< entries of the sums of its own features, for a part's queries
  kShareBefore,    ///< likewise, of the features of the rows above
  kShareRest,      ///< of those of the rows below
  kSharePosition,  ///< the row in its group
  kShareHome,      ///< entry of R of the sums of its own features for its own queries
  kShareConstants
};

/// Places of the constants of a loss (sw/kernels/class_loss.s).
enum LossConstant : std::uint8_t {
  kLossFeatures,  ///< features of the row
  kLossLabels,    ///< addresses of the tokens' labels,
  kLossWeights,   ///< weights
  kLossScales,    ///< and scales
  kLossConstants
};

/// Constants of a row, the same in all of its tiles.
struct RowConstants {
  /// Elements 0..7 of SRAM (MemoryPlan::kCntHidden ..): features of the row, of the residual stream, the filter and the
  /// vocabulary; its heads, and a head's features in it; the first and the last row of its head's group; its part of an
  /// index.
  std::array<std::uint16_t, 8> words{};
  std::uint16_t rotary_pairs = 0;  ///< rotated pairs of a head, at the address passed to `rotary`
  /// With classes, at `losses_at`: constants of their loss, then, if it has a table, those of the loss of tokens.
  std::uint16_t losses_at = 0;
  std::array<std::uint16_t, 2 * kLossConstants> losses{};
  /// With attention whose rows share the keys, at `share_at`: the constants of share_constants().
  std::uint16_t share_at = 0;
  std::array<std::uint16_t, kShareConstants> share{};
};

/// [row]
std::vector<RowConstants> row_constants(const ModelShape& model, const machine::WaferShape& wafer,
                                        const Spaces& spaces);

}  // namespace weft::compiler
