/// The names of a program's kernels.
#pragma once

#include <set>
#include <string>

namespace weft::compiler {

/// Kernels that a program needs (Lowering::kernels_of).
struct Kernels {
  std::set<std::string> called;     ///< without a mask, or with any
  std::set<std::string> fallbacks;  ///< with some masks, in place of a kernel of interleaved outputs
};

}  // namespace weft::compiler
