/// What a wafer runs for a micro-batch of a network: forward, then backward, which follows from forward.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

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

/// Array of a value: its own if it is kept, else that of its name.
std::string array_of(const LayerGraph& network, int value);
/// [value]: array of its gradient. Where one gradient is made of the other in place, they share it.
std::vector<std::string> gradient_arrays(const LayerGraph& network);
/// Of a norm: "h.0.ln_1.xhat", "h.0.ln_1.rstd", or, if it keeps nothing, "ln_1.xhat", "ln_1.rstd".
std::string xhat_of(const NetworkOperation& norm);
std::string rstd_of(const NetworkOperation& norm);
/// Made by the embedding, or by adding to one that is: it runs through the model.
bool is_stream(const LayerGraph& network, int value);

}  // namespace weft
