/// Modes of `weft run` (runconfig.mode). Each prints to `out`, returns the program's exit code, and throws Refusal for
/// errors that the user can correct.
#pragma once

#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "host/config/config.hpp"
#include "host/planning/choice.hpp"
#include "host/ranks/run_context.hpp"
#include "host/swarmx/tree/worker_loop.hpp"
#include "host/train/evaluation.hpp"
#include "sw/compiler/model/mask.hpp"

namespace weft::cli {

/// Runs the mode of the configuration, with default options.
int run_mode(const config::Config& config, const swarmx::MakeWafer& make_wafer, std::ostream& out,
             const ranks::RunContext& context = {});

struct EvalOptions {
  bool json = false;   ///< print only the result to `out`: an object with step, eval_loss (nats per token), perplexity,
                       ///< tokens
  std::string logits;  ///< output file for the logits of every position (logits.hpp); empty: none
};

/// The result as an object with the names of metrics.jsonl, in one line. With smoothed labels, perplexity is undefined
/// and left out, as it is unless the last loss is `of_tokens`.
std::string result_json(const train::EvalResult& result, std::uint64_t step, double smoothing, bool of_tokens);

/// `eval`: loss and perplexity of a checkpoint on eval_input. Changes no weights and writes nothing, so it can be used
/// while a run in the folder is active. Prints notes to `notes`, which may be `out`.
int evaluate(const config::Config& config, const swarmx::MakeWafer& make_wafer, std::ostream& out, std::ostream& notes,
             const ranks::RunContext& context = {}, const EvalOptions& options = {});

struct CompileOptions {
  bool json = false;      ///< print an object per line
  bool measure = false;   ///< also measure this machine's steps per second, for about a second, or one pass if that
                          ///< takes longer
  double clock_mhz = 50;  ///< clock for converting cycles to seconds; docs/explanation/stalls.md draws cycles as 20 ns
  std::string save;       ///< file for the plan; empty: none
  std::vector<planning::Choice> choices = {};  ///< what was chosen for settings that were auto
};

/// `compile_only`: prints the plan's bytes of a PE by use; messages, expected cycles and bound by phase; memory and
/// traffic of MemoryX. Needs no data, writes nothing but `save`, and runs nothing except for `measure`. For a dense
/// model, time and memory grow with the number of ops.
int compile_only(const config::Config& config, std::ostream& out, const ranks::RunContext& context = {},
                 const CompileOptions& options = {});

/// `generate`: continues runconfig.prompt with a checkpoint. Prints only the text to `out`, as it is generated, and
/// notes to `notes`. Changes nothing, like `eval`. `progress`, if given, displays the progress; the text must not go to
/// the same terminal.
int generate(const config::Config& config, const swarmx::MakeWafer& make_wafer, std::ostream& out, std::ostream& notes,
             system::Progress* progress = nullptr);
/// As above, but returns each prompt with its continuation.
std::vector<std::string> generate_texts(const config::Config& config, const swarmx::MakeWafer& make_wafer,
                                        std::ostream& notes);

/// As above, with these weights, the flat parameter vector, and their mask, instead of a checkpoint.
std::vector<std::string> generate_texts(const config::Config& config, const compiler::Mask& mask,
                                        std::span<const float> weights, const swarmx::MakeWafer& make_wafer,
                                        std::ostream& notes);

/// `validate_only`: reads and checks configuration and data, prints a summary, and changes nothing.
int validate_only(const config::Config& config, std::ostream& out, const ranks::RunContext& context = {});

}  // namespace weft::cli
