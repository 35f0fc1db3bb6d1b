/// What the data looks like, for TensorBoard.
#pragma once

#include <optional>
#include <string>

#include "host/appliance/events/summaries.hpp"
#include "host/data/tokenizer.hpp"
#include "host/train/trainer.hpp"

namespace weft {

/// What a session of `trainer` begins with: the first sequence of its first step, and the first that is evaluated, as
/// text; as numbers where nobody knows what tokens mean. `run`: its identity; `last`: the metrics of the step before.
/// Throws Refusal if data cannot be read.
SessionStart session_start(const Config& config, const Trainer& trainer, const std::optional<Tokenizer>& tokenizer,
                           std::string run, const std::optional<StepMetrics>& last);

}  // namespace weft
