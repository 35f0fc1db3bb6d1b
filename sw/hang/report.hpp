/// What a standstill is told as (docs/hangs.md).
#pragma once

#include <string>

#include "sw/asm/assembler.hpp"
#include "sw/hang/culprit.hpp"

namespace weft::hang {

/// A place in a program: `gemm_psum+3, sw/kernels/gemm.s:74 `vs.add ...``. Of a word that is not the program's, or
/// without a program: `pc 3 `vs.add ...``.
std::string where(const TileStandstill& tile, std::uint16_t pc, const Program* program);

/// First one line that begins with `culprit:` and names tile, instruction and what is wrong; then who waits for whom,
/// the chain or cycle drawn with arrows; then all tiles that do not rest, those alike together. `program` may be null.
std::string report(const Standstill& s, const Program* program);

}  // namespace weft::hang
