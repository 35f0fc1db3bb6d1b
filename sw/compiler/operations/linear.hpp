/// Tools of a linear's GEMMs (linear.cpp) and gradients (linear_gradient.cpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include "sw/compiler/lower/tools.hpp"

namespace weft::compiler {

class LinearTools : protected LoweringTools {
 protected:
  explicit LinearTools(const LoweringTools& tools) : LoweringTools(tools) {}

  Matrix matrix(const network::NetworkOperation& linear, std::size_t output) const;
  /// The copies of a linear's outputs: heads of keys and values.
  HeadCopies copies(const network::NetworkOperation& linear) const;
  /// The bias parameter of the output's feature 0; kNone if there is none.
  std::uint64_t bias(const network::NetworkOperation& linear, std::size_t output) const;
};

/// Adds the ops that return the gradients of a linear's weights and biases.
void lower_linear_gradient(const LoweringTools& tools, const network::Step& step);

}  // namespace weft::compiler
