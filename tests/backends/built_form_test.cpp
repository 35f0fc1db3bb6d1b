/// The synthesized forms of modules (`WEFT_BUILT_FORM`, rtl/weft_check.svh), as a whole wafer that trains.
#include <gtest/gtest.h>

#include "host/backends/backend.hpp"
#include "host/config/file/load.hpp"
#include "sw/compiler/compile.hpp"
#include "tests/cli/modes/small_trainer.hpp"

namespace weft::backends {
namespace {

std::vector<std::uint64_t> train(const std::string& backend) {
  cli::SmallTrainer run({{"wafer.backend", backend}});
  return run.train([&](int id) { return make_wafer(run.config(), id); });
}

TEST(BuiltForm, TrainsTheBitsOfTheModel) { EXPECT_EQ(train("rtl"), train("model")); }

/// Compares with the first state hash in README.md.
TEST(BuiltFormLong, TrainsTheFirstStepOfGptTiny) {
  const config::Config config =
      config::load_config(std::string(WEFT_CONFIGS) + "/gpt_tiny.yaml", {{"wafer.backend", "rtl"}});
  const compiler::Plan plan = compiler::compile(config.model, config.wafer, train::make_mask(config));
  train::Trainer trainer(config, plan, [&](int id) { return make_wafer(config, id); });
  EXPECT_EQ(trainer.step().state_hash, 0x346465df9128f34au);
}

}  // namespace
}  // namespace weft::backends
