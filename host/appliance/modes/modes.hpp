/// What `weft run` does, by runconfig.mode. Each prints to `out`, returns the program's exit code, and throws
/// Refusal for what the user can mend.
#pragma once

#include <iosfwd>

#include "host/appliance/config/config.hpp"
#include "host/swarmx/run_leaf.hpp"

namespace weft {

/// The mode that the configuration names.
int run_mode(const Config& config, const MakeWafer& make_wafer, std::ostream& out);

/// `eval`: loss and perplexity of a checkpoint over eval_input. Changes no weight and needs no rights to write: it also
/// works while the folder's run goes on.
int evaluate(const Config& config, const MakeWafer& make_wafer, std::ostream& out);

/// `compile_only`: the plan. Bytes of a PE by use, messages and expected cycles by phase, and the steps a second to
/// expect of this machine, which it measures for about a second, or a round if that takes longer. Needs no data, writes
/// nothing. `json`: only the phases, an object a line.
int compile_only(const Config& config, std::ostream& out, bool json = false);

/// `generate`: how a checkpoint goes on with runconfig.prompt. The text, and nothing else, goes to `out` as it is made;
/// what is to be said of it goes to `notes`. Changes nothing, as `eval`.
int generate(const Config& config, const MakeWafer& make_wafer, std::ostream& out, std::ostream& notes);

/// `validate_only`: reads configuration and data, says what is there, and touches nothing.
int validate_only(const Config& config, std::ostream& out);

}  // namespace weft
