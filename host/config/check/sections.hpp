/// What check_config looks at, section by section. All throw Refusal, which names the key.
#pragma once

#include "host/config/config.hpp"

namespace weft {

/// Checkpoints and params.yaml name the paths of a run, and both are UTF-8: refuses a path that is not, or has a NUL.
void check_paths(const Config& config);

/// Heads divide a hidden vector, micro-batches a batch; a step's contributions have room in their sum.
void check_batches(const Config& config);

/// Valves, lanes, and whether there are as many boards as are wanted.
void check_wafer(const Config& config);

/// Optimizer, learning rate, losses that are smoothed, what happens to a step that diverges.
void check_training(const Config& config);

/// Tokenizer and shares of data sets; what there is to evaluate on.
void check_data(const Config& config);

/// Of mode generate: there is something to go on with, and only one.
void check_generate(const Config& config);

/// Which tensors are sparse, and when their masks are dealt.
void check_sparsity(const Config& config);

}  // namespace weft
