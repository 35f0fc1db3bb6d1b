/// The names of a program's kernels.
#pragma once

#include <set>
#include <string>

namespace weft::compiler {

/// Kernels that a program needs (Lowering::kernels_of).
struct Kernels {
  std::set<std::string> called;     ///< by ops without a mask, or where another kernel has no room
  std::set<std::string> fallbacks;  ///< by ops with some masks, in place of a kernel of interleaved outputs
};

}  // namespace weft::compiler
