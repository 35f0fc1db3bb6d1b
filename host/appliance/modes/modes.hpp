/// What `weft run` does, by runconfig.mode. Each prints to `out`, returns the program's exit code, and throws
/// Refusal for what the user can mend.
#pragma once

#include <iosfwd>
#include <string>

#include "host/config/config.hpp"
#include "host/swarmx/serve.hpp"

namespace weft {

/// The mode that the configuration names, without options of its own.
int run_mode(const Config& config, const MakeWafer& make_wafer, std::ostream& out);

struct EvalOptions {
  bool json = false;   ///< to `out` only the result, an object: step, eval_loss (nats a token), perplexity, tokens
  std::string logits;  ///< a file for the logits of every position (logits.hpp); empty: none
};

/// `eval`: loss and perplexity of a checkpoint over eval_input. Changes no weight and needs no rights to write: it also
/// works while the folder's run goes on. What is to be said of it goes to `notes`, which may be `out`.
int evaluate(const Config& config, const MakeWafer& make_wafer, std::ostream& out, std::ostream& notes,
             const EvalOptions& options = {});

struct CompileOptions {
  bool json = false;      ///< an object a line
  bool measure = false;   ///< steps a second of this machine, too: for about a second, or a round if that takes longer
  double clock_mhz = 50;  ///< at which a second has so many cycles: docs/stalls.md draws them 20 ns long
  std::string save;       ///< where the plan is kept; empty: nowhere
};

/// `compile_only`: the plan. Bytes of a PE by use; messages, expected cycles and bound by phase; bytes of MemoryX, and
/// what it passes on. Needs no data, writes nothing, runs nothing but for `measure`; of a dense model its time and
/// memory grow with the ops.
int compile_only(const Config& config, std::ostream& out, const CompileOptions& options = {});

/// `generate`: how a checkpoint goes on with runconfig.prompt. The text, and nothing else, goes to `out` as it is made;
/// what is to be said of it goes to `notes`. Changes nothing, as `eval`.
int generate(const Config& config, const MakeWafer& make_wafer, std::ostream& out, std::ostream& notes);

/// `validate_only`: reads configuration and data, says what is there, and touches nothing.
int validate_only(const Config& config, std::ostream& out);

}  // namespace weft
