/// The first instruction in which the RTL and the functional model differ in a run (docs/howto/bisect.md).
#pragma once

#include <functional>
#include <string>

#include "host/inspect/bisect/finding.hpp"
#include "host/programs/replay.hpp"

namespace weft::inspect::own {

/// Executes `model` on the functional model and `rtl` on the RTL, two replays of one run, and compares what each tile
/// does, place by place. Of all differences, returns the one that occurs first on the RTL: side a is the RTL, b the
/// model. Kind::Nothing if there is none, or if `interrupted` returned true. Throws Refusal if the run is too long.
bisect::Finding first_difference(const weft::programs::Replay& rtl, const weft::programs::Replay& model,
                                 const std::function<bool()>& interrupted = {});

/// The finding as lines: tile, place, and for the RTL and the model the value and the instruction. Empty for
/// Kind::Nothing.
std::string text(const bisect::Finding& finding);

}  // namespace weft::inspect::own
