/// The text that reports a hang (docs/explanation/hangs.md).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sw/asm/assembler.hpp"
#include "sw/deadlock/root_cause.hpp"

namespace weft::deadlock {

/// The programs that tiles may run, for names and lines of instructions. They must outlive this object.
class Programs {
 public:
  /// One program for all tiles, or none (null).
  Programs(const assembler::Program* program) {  // NOLINT(google-explicit-constructor): most callers have one
    if (program != nullptr) programs_.push_back(program);
  }
  explicit Programs(std::vector<const assembler::Program*> programs) : programs_(std::move(programs)) {}

  /// The program of a tile; null if it is not known.
  const assembler::Program* of(const machine::TileHang& tile) const;

 private:
  std::vector<const assembler::Program*> programs_;
};

/// A place in a program: `gemm_psum+3, sw/kernels/gemm.s:74 `vs.add ...``. For a word that is not the program's, or
/// without a program: `pc 3 `vs.add ...``.
std::string where(const machine::TileHang& tile, std::uint16_t pc, const Programs& programs);

/// The first line begins with `root cause:` and names tile, instruction and problem. The chain or cycle of the wait-for
/// graph follows, drawn with arrows, then all tiles that are not at rest, with equal ones together.
std::string report(const machine::HangSnapshot& s, const Programs& programs);

}  // namespace weft::deadlock
