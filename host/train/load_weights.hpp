/// The weights of a model that is trained already.
#pragma once

#include <span>

#include "host/train/start.hpp"

namespace weft {

/// The checkpoint that `given_weights` names, else the newest whole one of model_dir. Reads only: the folder
/// may belong to a run that goes on. Throws Refusal if there is none, or if it is not of this model.
Start load_weights(const Config& config, std::span<const TensorInfo> tensors);

}  // namespace weft
