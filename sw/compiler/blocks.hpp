/// Vocabularies with more tokens than an index of 16 bits tells apart   (docs/stream.md, Large vocabularies)
#pragma once

#include <cstdint>

#include "sw/compiler/space.hpp"
#include "sw/compiler/token_id.hpp"
#include "sw/machine/shape.hpp"

namespace weft {

/// The index that no feature has: of a label that is none, and of a token in a block that it is not of.
inline constexpr std::uint16_t kNoIndex = 0xffff;

/// Slots of a block: as many as an index has places for, but the last one, which would be kNoIndex on the last row.
inline int block_slots(const WaferShape& wafer) { return (1 << wafer.row_shift()) - 1; }

/// Blocks of block_slots() slots that the tokens are parted into; an index is of a block.
inline int vocabulary_blocks(const Space& vocab, const WaferShape& wafer) {
  return (vocab.slots() + block_slots(wafer) - 1) / block_slots(wafer);
}

/// As many as a GEMM has bases (sw/kernels/far.s): the logits' gradient is one's input.
inline constexpr int kMostBlocks = kMostTokens / kNoIndex;

/// A token's block and its index there.
inline constexpr std::uint32_t block_index(int block, int row, int slot, int row_shift) {
  return static_cast<std::uint32_t>(block) << 16 | static_cast<std::uint32_t>(row << row_shift | slot);
}
/// What a PE has of it for `block`.
inline constexpr std::uint16_t index_in(std::uint32_t of, int block) {
  return of >> 16 == static_cast<std::uint32_t>(block) ? static_cast<std::uint16_t>(of) : kNoIndex;
}

}  // namespace weft
