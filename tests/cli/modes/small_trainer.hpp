/// A training run of milliseconds, with wafers that the test supplies.
#pragma once

#include "host/config/file/load.hpp"
#include "host/train/masks.hpp"
#include "host/train/trainer.hpp"
#include "sw/compiler/compile.hpp"
#include "tests/small_run.hpp"
#include "tests/temporary_folder.hpp"

namespace weft {

class SmallTrainer {
 public:
  /// Creates a run on 2 x 2 tiles with 2 micro-batches per step.
  explicit SmallTrainer(std::vector<Override> overrides = {})
      : config_((folder_.write("corpus.txt", small_corpus()),
                 load_config(folder_.write("mine.yaml", std::string(kSmallParams) + "wafer: {rows: 2, cols: 2}\n"),
                             overrides))),
        plan_(compile(config_.model, config_.wafer, make_mask(config_))) {}

  const Config& config() const { return config_; }
  const Plan& plan() const { return plan_; }
  /// State hashes after each of `steps` steps.
  std::vector<std::uint64_t> train(const MakeWafer& make_wafer, int steps = 2) {
    Trainer trainer(config_, plan_, make_wafer);
    std::vector<std::uint64_t> hashes;
    for (int s = 0; s < steps; ++s) hashes.push_back(trainer.step().state_hash);
    return hashes;
  }

 private:
  const TemporaryFolder folder_;
  const Config config_;
  const Plan plan_;
};

}  // namespace weft
