/// Vocabularies with more tokens than an index of 16 bits can distinguish   (docs/explanation/stream.md, Large
/// vocabularies)
#pragma once

#include <cstdint>

#include "sw/base/token_id.hpp"
#include "sw/compiler/placement/space.hpp"
#include "sw/machine/shape.hpp"

namespace weft::compiler {

/// The index of no feature: for a missing label, and for a token in the blocks that do not contain it.
inline constexpr std::uint16_t kNoIndex = 0xffff;

/// Slots of a block: all that an index can name except the last one, which would be kNoIndex on the last row.
inline int block_slots(const machine::WaferShape& wafer) { return (1 << wafer.row_shift()) - 1; }

/// Number of blocks of block_slots() slots into which the tokens are divided; an index refers to one block.
inline int vocabulary_blocks(const Space& vocab, const machine::WaferShape& wafer) {
  return (vocab.slots() + block_slots(wafer) - 1) / block_slots(wafer);
}

/// The number of bases of a GEMM (sw/kernels/far.s), whose input may be the gradient of all logits.
inline constexpr int kMostBlocks = kMostTokens / kNoIndex;

/// A token's block and its index there.
inline constexpr std::uint32_t block_index(int block, int row, int slot, int row_shift) {
  return static_cast<std::uint32_t>(block) << 16 | static_cast<std::uint32_t>(row << row_shift | slot);
}
/// A PE's index for `block` of a token with block index `of`.
inline constexpr std::uint16_t index_in(std::uint32_t of, int block) {
  return of >> 16 == static_cast<std::uint32_t>(block) ? static_cast<std::uint16_t>(of) : kNoIndex;
}

}  // namespace weft::compiler
