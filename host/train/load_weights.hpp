/// The weights of a model that is trained already.
#pragma once

#include <span>

#include "host/train/start.hpp"

namespace weft {

/// The checkpoint that `given_weights` names, else the newest whole one of model_dir. Reads only: the folder
/// may belong to a run that goes on. Throws Refusal if there is none, or if it is not of this model.
Start load_weights(const Config& config, std::span<const TensorInfo> tensors);

/// The mask that a run begins with, as far as its weights are there before it is trained: of the checkpoint that
/// `given_weights` names, if it names one; one that is not there is none, where no mask is asked for. What compiles a
/// plan of a run without beginning it asks for this.
Mask first_mask(const Config& config);

}  // namespace weft
