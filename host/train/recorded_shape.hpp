/// The shape of a micro-batch that a run chose when it began.
#pragma once

#include <optional>
#include <string>

#include "host/config/config.hpp"

namespace weft::train {

/// Settings of `train_input.micro_batch_size` and `wafer.sequence_columns` that are auto are taken from the newest
/// readable checkpoint in runconfig.model_dir, so that a run keeps its bits when a later version estimates other
/// cycles. A checkpoint of another batch, sequence length or mesh, whose shape need not suit this run, changes nothing.
/// Returns a message if a setting was taken.
std::optional<std::string> take_recorded_shape(config::Config& config);

}  // namespace weft::train
