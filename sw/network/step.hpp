/// A step of a schedule, and the arrays that it reads and writes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weft::network {

/// One phase.
struct Step {
  enum class Kind : std::uint8_t {
    Forward,         ///< forward pass of operation `op`, output n
    Statistics,      ///< statistics of a norm: in -> xhat, rstd; its Forward: xhat -> out
    WeightGradient,  ///< gradient of a linear's output n, a norm's scale and shift, or an embedding's table n
    InputGradient,   ///< gradient of all inputs of `op`; linear: of value `value`, through all `through`
    Logits,          ///< returned, of one position
    Flags
  };
  Kind kind = Kind::Flags;
  /// Forward: the operation's name. Backward: the name and what is computed, ".dx" (gradient of the input), ".dw" (of
  /// weights), ".db" (of biases apart from their weights) or ".dy" (of an output that several linears read).
  std::string name;
  int op = -1;
  int n = 0;
  int value = -1;
  bool adds = false;              ///< InputGradient of a linear: to the array's content
  std::vector<int> through = {};  ///< InputGradient of a linear: linears, in the order of forward
  std::vector<int> clears = {};   ///< InputGradient of the last loss: values to whose gradients later steps add
};

/// A value, or the gradient of a value, that a step reads or writes.
struct ArrayUse {
  int value;
  bool gradient;  ///< the value's gradient, not the value
  bool makes;     ///< the previous content is not needed
};

/// Adds the uses of all values of a list.
inline void use_all(std::vector<ArrayUse>& uses, const std::vector<int>& values, bool gradient, bool makes) {
  for (const int v : values) uses.push_back({v, gradient, makes});
}

}  // namespace weft::network
