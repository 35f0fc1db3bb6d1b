/// Deadlock check of a run, before it begins (docs/explanation/hangs.md).
#pragma once

#include <span>
#include <string>

#include "host/programs/image.hpp"

namespace weft::programs {

/// Proves that a wafer that has loaded the image finishes the messages `run`. Throws Stopped with `subject` and the
/// cycle of waits if the wafer would not finish, and if the check cannot determine the outcome.
void certify(const Image& image, std::span<const machine::Message> run, const std::string& subject);

}  // namespace weft::programs
