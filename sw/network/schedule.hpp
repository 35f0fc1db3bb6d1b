/// What a wafer runs for a micro-batch of a network: forward, then backward, which follows from forward.
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
    LossBack,        ///< and clears what gradients are then added to
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
  std::string name;
  int op = -1;
  int n = 0;
  int value = -1;
  bool adds = false;              ///< InputGradient: to what is there
  std::vector<int> through = {};  ///< InputGradient: linears, in the order of forward
  std::vector<int> clears = {};   ///< LossBack: values
};

struct Schedule {
  std::vector<Step> steps;
  std::size_t forward = 0;  ///< the steps up to the loss
};

/// Throws Refusal of model.network where backward cannot be made: a value is gone when it is needed, or two operations
/// want its gradient that do not add.
Schedule training_schedule(const LayerGraph& network);
/// Forward to the logits, which are returned.
Schedule generation_schedule(const LayerGraph& network);

}  // namespace weft
