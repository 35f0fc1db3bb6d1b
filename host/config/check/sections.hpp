/// Checks of rules that relate several keys, section by section. All throw Refusal, which names the key.
#pragma once

#include "host/config/config.hpp"

namespace weft::config {

/// Rejects paths that are not valid UTF-8 or contain control characters, because checkpoints and params.yaml record
/// paths as UTF-8 text.
void check_paths(const Config& config);

/// Checks that heads divide the hidden size, micro-batches divide the batch, groups of rows divide what they share, and
/// the contributions of a step fit in their sum.
void check_batches(const Config& config);

/// Checks valves, lanes, and the number of boards.
void check_wafer(const Config& config);

/// Checks optimizer, learning rate, label smoothing, and the handling of divergence.
void check_training(const Config& config);

/// Checks the tokenizer, the shares of data sets, and the evaluation data.
void check_data(const Config& config);

/// In mode generate, checks that there are prompts, from a single source.
void check_generate(const Config& config);

/// Checks the selection of sparse tensors and the schedule of mask updates.
void check_sparsity(const Config& config);

}  // namespace weft::config
