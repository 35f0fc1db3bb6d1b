/// Sample text of the data, for TensorBoard.
#pragma once

#include <optional>
#include <string>

#include "host/metrics/events/summaries.hpp"
#include "host/tokenizer/tokenizer.hpp"
#include "host/train/trainer.hpp"

namespace weft {

/// The start of a session of `trainer`: the first sequences of its first step and of its evaluation, as text, or as
/// numbers if there is no tokenizer. `run`: the run's identity; `last`: the metrics of the previous step. Throws
/// Refusal if data cannot be read.
SessionStart session_start(const Config& config, const Trainer& trainer, const std::optional<Tokenizer>& tokenizer,
                           std::string run, const std::optional<StepMetrics>& last);

}  // namespace weft
