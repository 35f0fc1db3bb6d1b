/// Sample text of the data, for TensorBoard.
#pragma once

#include <optional>
#include <string>

#include "host/metrics/events/summaries.hpp"
#include "host/tokenizer/tokenizer.hpp"
#include "host/train/trainer.hpp"

namespace weft::train {

/// The start of a session of `trainer`: the first sequences of its first step and of its evaluation, as text, or as
/// numbers if there is no tokenizer. `run`: the run's identity; `last`: the metrics of the previous step. Throws
/// Refusal if data cannot be read.
metrics::SessionStart session_start(const config::Config& config, const Trainer& trainer,
                                    const std::optional<tokenizer::Tokenizer>& tokenizer, std::string run,
                                    const std::optional<metrics::StepMetrics>& last);

}  // namespace weft::train
