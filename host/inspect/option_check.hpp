/// Checks that the options apply to a command that inspects a training step.
#pragma once

#include <string>

#include "host/config/config.hpp"

namespace weft::inspect {

/// `command`: waves, profile, debug or fingerprint. Throws Refusal for a mode without training steps. Also rejects, if
/// given on the command line, prompts, a backend that the command cannot show, and wafer.check with `profile`.
void check_options(const std::string& command, const config::Config& config);

}  // namespace weft::inspect
