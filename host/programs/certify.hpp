/// Deadlock check of a run, before it begins (docs/explanation/hangs.md).
#pragma once

#include <span>
#include <string>

#include "host/programs/image.hpp"

namespace weft::programs {

/// Proves that the messages `run`, sent to a wafer that has loaded the image, come to an end. Throws Stopped with
/// `subject` and the cycle if they do not, and if the check cannot determine it.
void certify(const Image& image, std::span<const machine::Message> run, const std::string& subject);

}  // namespace weft::programs
