/// A phase of the learning rate in MemoryX's terms, and in words.
#pragma once

#include <string>
#include <vector>

#include "host/config/config.hpp"
#include "host/memoryx/learning_rate.hpp"

namespace weft {

/// Of checked phases (check_phase).
ScheduleEntry schedule_entry(const LearningRatePhase& phase);

/// Whether the phase's scheduler has a part for this key of it.
bool has_part(const LearningRatePhase& phase, std::string_view key);

/// What is wrong with the phase and what to do, or two empty texts. `last`: none follows.
struct PhaseFault {
  std::string problem, hint;
};
PhaseFault check_phase(const LearningRatePhase& phase, bool last);

/// "Linear 0 to 0.1 in 5, Constant 0.1"; a Constant alone is its number, unless `named`.
std::string phases_text(const std::vector<LearningRatePhase>& phases, bool named);

}  // namespace weft
