/// A training run of milliseconds, with wafers that the test supplies.
#pragma once

#include "host/config/file/load.hpp"
#include "host/train/masks.hpp"
#include "host/train/trainer.hpp"
#include "sw/compiler/compile.hpp"
#include "tests/small_run.hpp"
#include "tests/temporary_folder.hpp"

namespace weft::cli {

class SmallTrainer {
 public:
  /// Creates a run on 2 x 2 tiles with 2 micro-batches per step.
  explicit SmallTrainer(std::vector<config::Override> overrides = {})
      : config_((folder_.write("corpus.txt", test::small_corpus()),
                 config::load_config(
                     folder_.write("mine.yaml", std::string(test::kSmallParams) + "wafer: {rows: 2, cols: 2}\n"),
                     overrides))),
        plan_(compiler::compile(config_.model, config_.wafer, train::make_mask(config_))) {}

  const config::Config& config() const { return config_; }
  const compiler::Plan& plan() const { return plan_; }
  /// State hashes after each of `steps` steps.
  std::vector<std::uint64_t> train(const swarmx::MakeWafer& make_wafer, int steps = 2) {
    train::Trainer trainer(config_, plan_, make_wafer);
    std::vector<std::uint64_t> hashes;
    for (int s = 0; s < steps; ++s) hashes.push_back(trainer.step().state_hash);
    return hashes;
  }

 private:
  const test::TemporaryFolder folder_;
  const config::Config config_;
  const compiler::Plan plan_;
};

}  // namespace weft::cli
