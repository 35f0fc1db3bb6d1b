/// A training run that is under way: its folder, state, wafers and reports. The caller trains its steps (steps.hpp).
#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <memory>

#include "host/config/config.hpp"
#include "host/ranks/run_context.hpp"
#include "host/swarmx/tree/worker_loop.hpp"
#include "host/train/steps.hpp"

namespace weft::train {

struct TrainOptions {
  /// The maximum time without a checkpoint. When it expires, the run writes an autosave, which the next checkpoint
  /// replaces.
  std::chrono::milliseconds autosave = std::chrono::minutes(10);
  /// Samples of the calling program, in place of train_input.data_dir; null: the run reads its files. Such a run has no
  /// tokenizer, and its identity does not depend on the samples.
  std::shared_ptr<const data::Samples> samples = {};
};

class Session {
 public:
  /// Locks model_dir and finds the checkpoint that the run starts from. All references must outlive this, and `out`
  /// receives the messages. Throws Refusal; errors of files are those of their keys (placed).
  Session(const config::Config& config, std::ostream& out, const ranks::RunContext& context,
          const TrainOptions& options);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Number of steps done before this session.
  std::uint64_t first() const { return first_; }
  /// Completes the files of a run that has all of its steps, in place of prepare() and begin().
  void complete();

  /// Reads the data, checks that the run may continue, and starts MemoryX and the wafers.
  void prepare(const swarmx::MakeWafer& make_wafer);
  /// After prepare(): sets the initial state, and opens the files. Returns false if the run was interrupted while it
  /// waited for MemoryX ranks.
  bool begin();
  /// After begin(): prints the setup and the column titles.
  void print_header();
  /// After begin(): the parts that train steps.
  const Run& run() const;
  /// After prepare().
  Trainer& trainer();
  /// After prepare(): the final state of status.json: "done", "interrupted", "failed: ...".
  void end_status(const std::string& outcome);

  /// An exception as this run reports it: a Refusal is placed at the key that names its file.
  static Refusal placed(const config::Config& config, const ranks::RunContext& context, const Refusal& refusal);

 private:
  class Impl;
  const std::unique_ptr<Impl> impl_;
  const std::uint64_t first_;
};

}  // namespace weft::train
