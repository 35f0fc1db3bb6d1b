/// Converts phases of the learning rate to MemoryX's form and to text.
#pragma once

#include <string>
#include <vector>

#include "host/config/config.hpp"
#include "host/memoryx/learning_rate.hpp"

namespace weft::config {

/// The phase must have passed check_phase.
memoryx::ScheduleEntry schedule_entry(const LearningRatePhase& phase);

/// True if the phase's scheduler uses this key.
bool has_part(const LearningRatePhase& phase, std::string_view key);

/// Problem with a phase, and a hint; both empty if it is valid. `last`: no phase follows.
struct PhaseFault {
  std::string problem, hint;
};
PhaseFault check_phase(const LearningRatePhase& phase, bool last);

/// For example "Linear 0 to 0.1 in 5, Constant 0.1". A lone Constant is printed as its number unless `named`.
std::string phases_text(const std::vector<LearningRatePhase>& phases, bool named);

}  // namespace weft::config
