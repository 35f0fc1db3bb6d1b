/// Loads the weights of a trained model.
#pragma once

#include <span>

#include "host/train/resume.hpp"

namespace weft::train {

/// Loads the checkpoint that `given_weights` names, otherwise the newest undamaged one of model_dir. Writes nothing,
/// because the folder may belong to a running training run. Throws Refusal if there is no checkpoint, or if it does not
/// fit the model.
ResumePoint load_weights(const config::Config& config, std::span<const compiler::TensorInfo> tensors);

/// The mask that a run begins with, for compiling a plan without starting the run. It is based on the checkpoint that
/// `given_weights` names, if any; a missing checkpoint is an error only if masks are configured.
compiler::Mask first_mask(const config::Config& config);

}  // namespace weft::train
