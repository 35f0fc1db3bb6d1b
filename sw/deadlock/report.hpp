/// The text that reports a hang (docs/explanation/hangs.md).
#pragma once

#include <string>

#include "sw/asm/assembler.hpp"
#include "sw/deadlock/root_cause.hpp"

namespace weft::deadlock {

/// A place in a program: `gemm_psum+3, sw/kernels/gemm.s:74 `vs.add ...``. For a word that is not the program's, or
/// without a program: `pc 3 `vs.add ...``.
std::string where(const machine::TileHang& tile, std::uint16_t pc, const assembler::Program* program);

/// The first line begins with `root cause:` and names tile, instruction and problem. The chain or cycle of the wait-for
/// graph follows, drawn with arrows, then all tiles that are not at rest, with equal ones together. `program` may be
/// null.
std::string report(const machine::HangSnapshot& s, const assembler::Program* program);

}  // namespace weft::deadlock
