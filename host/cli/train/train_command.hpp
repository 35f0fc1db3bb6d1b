/// `weft train FILE`: the shortest way to train on a text.
#pragma once

#include <iosfwd>

#include "host/config/command_line/arguments.hpp"

namespace weft::cli {

/// Chooses tokenizer, model and wafer by the text's size, trains the tokenizer if it is a BPE, writes the parameter
/// file next to the run's folder, and reports the choice to `out`. A parameter file that is there is kept if it trains on
/// the same text, and rejected otherwise. Returns the arguments of the run. `terminal`: `notes` shows progress on a
/// terminal. Throws Refusal.
config::Arguments prepare_training(const config::Arguments& arguments, std::ostream& out, std::ostream& notes,
                                   bool terminal);

}  // namespace weft::cli
