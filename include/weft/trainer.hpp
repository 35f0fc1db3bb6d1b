/// A training run inside this process.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/batch.hpp"
#include "weft/checkpoint.hpp"
#include "weft/config.hpp"
#include "weft/export.hpp"
#include "weft/log.hpp"

namespace weft {
inline namespace v0 {

/// Origin of a run's samples.
enum class Data {
  Files,  ///< train_input.data_dir and eval_input.data_dir
  Given,  ///< the calls of the program; train_input.data_dir is only a name
};

/// Trains as `weft run` does, with the same bits, messages and files, a step at a time. Used by one thread at a time; a
/// call during another one throws Error. All functions throw Error. The caller's floating-point modes have no effect.
class WEFT_API Trainer {
 public:
  /// Locks model_dir and starts from the newest checkpoint there, otherwise from checkpoint_path, otherwise from the
  /// seed. With Data::Given a run that continues takes the samples that the program gives next.
  explicit Trainer(const Config& config, Log log = {}, Data data = Data::Files);
  /// Ends the run as close() does, but saves nothing.
  ~Trainer();
  Trainer(const Trainer&) = delete;
  Trainer& operator=(const Trainer&) = delete;

  /// Trains a step, and evaluates and saves after it if due. Returns the step's line of metrics.jsonl. If the step
  /// fails, the state before it is saved, and the run ends.
  std::string step();
  /// As above with Data::Given: trains on `batch`, train_input.batch_size samples. Throws before anything changes if
  /// the batch has another size, or ids that are not in the vocabulary.
  std::string step(const Batch& batch);
  /// Number of steps done since the very first one, and the number that the configuration asks for.
  std::uint64_t steps_done() const;
  std::uint64_t max_steps() const;

  /// Evaluates the current weights on eval_input. Returns an object like that of `weft run --mode eval --json`; nothing
  /// if `interrupted` has ended the evaluation.
  std::optional<std::string> evaluate(const Interrupted& interrupted = {});
  /// As above with Data::Given, on all samples of `batch`, of any number.
  std::optional<std::string> evaluate(const Batch& batch, const Interrupted& interrupted = {});
  /// Continues the prompts of `config` (prompt, prompt_tokens, prompts_file) with the current weights, on a wafer of
  /// its own. `config`: config() with settings of generation alone. Returns what continue_prompts() of weft/modes.hpp
  /// does.
  std::vector<std::string> continue_prompts(const Config& config);
  /// The current state.
  Checkpoint state() const;
  /// Writes the current state to model_dir, unless it is there already. Returns the checkpoint's path.
  std::string save();
  /// Saves the state, if steps were trained since the last checkpoint, and releases wafers and folder. After that only
  /// steps_done(), max_steps(), is_open() and config() may be called. Does nothing if the run has ended.
  void close();
  bool is_open() const;

  /// The configuration with all choices made.
  const Config& config() const;

 private:
  class WEFT_LOCAL Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace v0
}  // namespace weft
