/// A vocabulary larger than the range of a 16-bit index, from shards of 32-bit ids to the state hash: equal on the
/// functional model, on RTL and for two wafers.
#include <gtest/gtest.h>

#include <cmath>

#include "host/config/file/load.hpp"
#include "host/train/trainer.hpp"
#include "sw/compiler/compile.hpp"
#include "tests/temporary_folder.hpp"
#include "verif/wafer.hpp"

namespace weft::test {
namespace {

constexpr int kVocab = 70000;

std::string wide_shard() {
  std::vector<std::int32_t> words(256);
  words[0] = 20240801, words[1] = 7, words[2] = 100;
  for (int n = 0; n < words[2]; ++n) words.push_back(n * 7919 % kVocab);
  words[256 + 7] = kVocab - 1;
  return {reinterpret_cast<const char*>(words.data()), 4 * words.size()};
}

/// Trains on each backend with so many wafers, with the same bits.
void expect_same_bits(const std::vector<std::pair<std::string, std::string>>& runs) {
  const TemporaryFolder folder;
  folder.write("shard.bin", wide_shard());
  folder.write("params.yaml", R"(train_input:
  data_dir: shard.bin
  batch_size: 2
  micro_batch_size: 1
model:
  hidden_size: 4
  num_hidden_layers: 1
  num_heads: 1
  filter_size: 4
  max_sequence_length: 4
  vocab_size: 70000
wafer:
  rows: 8
  cols: 1
  sram_kib: 128
)");
  std::vector<metrics::StepMetrics> first;
  for (const auto& [backend, num_csx] : runs) {
    SCOPED_TRACE(backend);
    const config::Config config = config::load_config(
        folder / "params.yaml",
        {{"runconfig.num_csx", num_csx}, {"wafer.backend", backend}, {"runconfig.model_dir", folder / "model"}});
    const compiler::Plan plan = compiler::compile(config.model, config.wafer);
    EXPECT_EQ(plan.token_blocks, 2);
    train::Trainer trainer(config, plan, [&](int) {
      return backend == "rtl" ? make_rtl_wafer(plan.wafer) : make_model_wafer(plan.wafer);
    });
    std::vector<metrics::StepMetrics> steps = {trainer.step()};
    if (backend == "model") {  // a step on the RTL takes half a minute
      steps.push_back(trainer.step());
      EXPECT_NE(steps[0].state_hash, steps[1].state_hash);
    }
    if (first.empty()) first = steps;
    EXPECT_NEAR(steps[0].loss, std::log(kVocab), 0.1);
    for (std::size_t s = 0; s < steps.size(); ++s) {
      EXPECT_EQ(steps[s].loss, first[s].loss);
      EXPECT_EQ(steps[s].state_hash, first[s].state_hash);
    }
  }
}

TEST(LargeVocabulary, TrainsWithTheSameBitsOnModelWafers) { expect_same_bits({{"model", "1"}, {"model", "2"}}); }
TEST(LargeVocabularyLong, TrainsWithTheSameBitsOnModelAndRtl) { expect_same_bits({{"model", "1"}, {"rtl", "1"}}); }

}  // namespace
}  // namespace weft::test
