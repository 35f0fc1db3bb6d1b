/// Element-wise functions of networks in doubles, by the names of their kernels.
#pragma once

#include <string>

namespace weft::reference {

struct Elementwise {
  std::string name;
  double (*value)(double x, double x2, double by);
  /// Derivatives with respect to x and x2.
  double (*slope)(double x, double x2, double by);
  double (*slope2)(double x, double x2, double by) = nullptr;
};

/// Throws std::out_of_range if there is no such function.
const Elementwise& elementwise(const std::string& name);

}  // namespace weft::reference
