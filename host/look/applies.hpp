/// Whether what a user says means anything to a command that looks at a training step.
#pragma once

#include <string>

#include "host/config/config.hpp"

namespace weft {

/// `command`: waves, profile, debug or trail. Throws Refusal for a mode without training steps, for a prompt on the
/// command line, and there for a backend that the command does not show, and for a second wafer in `profile`.
void check_applies(const std::string& command, const Config& config);

}  // namespace weft
