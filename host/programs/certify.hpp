/// Deadlock check of a run, before it begins (docs/explanation/hangs.md).
#pragma once

#include <optional>
#include <span>
#include <string>

#include "host/programs/image.hpp"
#include "host/programs/stopped.hpp"

namespace weft::programs {

/// A run that is not certified.
struct Uncertified {
  Stopped error;       ///< with the subject of the run, and the cycle of waits if there is one
  bool hangs = false;  ///< the run would wait for ever, whatever its registers and its data are
};

/// Proves that a wafer that has loaded the image finishes the messages `run`, with any contents of registers that the
/// messages do not set. Returns nothing if it does.
std::optional<Uncertified> certify(const Image& image, std::span<const machine::Message> run,
                                   const std::string& subject);

}  // namespace weft::programs
