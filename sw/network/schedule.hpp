/// The schedule of a micro-batch: forward, then backward, which is derived from forward.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sw/network/arrays.hpp"
#include "sw/network/network.hpp"

namespace weft {

/// One phase.
struct Step {
  enum class Kind : std::uint8_t {
    Embed,
    Norm,    ///< statistics: in -> xhat, rstd
    Affine,  ///< xhat -> out
    Linear,  ///< in -> output n
    Gelu,
    Rotary,
    Attention,
    Loss,
    LossBack,        ///< also clears arrays to which gradients are added later
    WeightGradient,  ///< of output n
    InputGradient,   ///< of value `value`, through all `through`
    GeluBack,
    AttentionBack,
    RotaryBack,
    ScaleGradient,  ///< of a norm's scale and shift
    NormBack,
    EmbedGradient,  ///< of table n
    Logits,         ///< returned, of one position
    Flags
  };
  Kind kind = Kind::Flags;
  /// Forward: the operation's name. Backward: the name and what is computed, ".dx" (gradient of the input), ".dw" (of
  /// weights), ".db" (of biases apart from their weights) or ".dy" (of an output that several linears read).
  std::string name;
  int op = -1;
  int n = 0;
  int value = -1;
  bool adds = false;              ///< InputGradient: to the array's content
  std::vector<int> through = {};  ///< InputGradient: linears, in the order of forward
  std::vector<int> clears = {};   ///< LossBack: values
};

struct Schedule {
  std::vector<Step> steps;
  std::size_t forward = 0;  ///< the steps up to the loss
};

/// Throws Refusal of model.network if backward cannot be derived: a value is overwritten before it is needed, or two
/// operations that cannot add make the same gradient.
Schedule training_schedule(const LayerGraph& network);
/// Forward up to the logits, which are returned.
Schedule generation_schedule(const LayerGraph& network);

}  // namespace weft
