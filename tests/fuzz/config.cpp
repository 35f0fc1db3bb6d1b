/// Parameter files: from YAML to a configuration, its table, its copy and the check that it fits.
#include <sstream>

#include "host/config/error_list.hpp"
#include "host/config/file/load.hpp"
#include "host/config/file/show.hpp"
#include "sw/compiler/check/check.hpp"
#include "tests/fuzz/target.hpp"
#include "tests/small_run.hpp"

namespace weft::fuzz::config_target {
namespace {

constexpr const char* kRich = R"(common: &common {rows: 2, cols: 2}
train_input: {data_dir: "a b", tokenizer: byte, batch_size: 16, shuffle: false, seed: 7}
eval_input: {data_dir: ../x, batch_size: 3}
model:
  hidden_size: 24
  num_hidden_layers: 3
  num_heads: 3
  filter_size: 0x40
  max_sequence_length: 16
  vocab_size: 300
  share_embedding_weights: false
  layer_norm_epsilon: 1e-5
optimizer:
  optimizer_type: AdamW
  betas: [0.9, 0.99]
  eps: 1.0e-8
  learning_rate:
    - scheduler: Linear
      initial_learning_rate: 0
      end_learning_rate: 0.005
      total_iters: 5
    - {scheduler: Constant, learning_rate: 0.005}
sparsity: {sparsity: 0.9, init_method: topk, params_filter: [h.*.attn.*, "wte.weight"]}
runconfig: {max_steps: 20, mode: train, model_dir: out, prompt: 'The "', temperature: .5}
wafer: {<<: *common, backend: rtl, sram_kib: 48}
)";

}  // namespace

std::vector<std::string> seeds() {
  std::string rich(kRich), merged(test::kSmallParams);
  rich.erase(0, rich.find('\n') + 1);
  rich.replace(rich.find("0x40"), 4, "64");
  rich.replace(rich.find("<<: *common, "), 13, "");
  merged.erase(merged.find("  filter_size"), std::string("  filter_size: 16\n").size());
  merged += "wafer: {<<: &a {rows: 2}, cols: 2}\nrunconfig: {<<: [*a, {max_steps: 1}]}\n";
  const std::string nul = rich + "memoryx: {threads: 2}\nswarmx: &s {\"fan\\0out\": 2, <<: [*s, *s]}\n";
  return {test::kSmallParams,
          kRich,
          rich,
          merged,
          nul,
          std::string(test::kSmallParams) + "wafer: " + std::string(600, '[')};
}

void read(std::span<const std::uint8_t> bytes) {
  try {
    const config::Config config = config::parse_config({bytes.begin(), bytes.end()}, "/nowhere/mine.yaml");
    std::ostringstream table;
    config::print_config(config, table);
    const std::string copy = config::config_yaml(config);
    promise(config::config_yaml(config::parse_config(copy, "/nowhere/copy.yaml")) == copy,
            "the copy that is kept says the same:", copy);
    compiler::check(config.model, config.wafer);
  } catch (const config::Refusals& e) {
    for (const Refusal& one : e.all()) promise_one_line(one.what());
  } catch (const Refusal& e) {
    promise_one_line(e.what());
  }
}

const bool kAdded = add({"config", seeds, read});

}  // namespace weft::fuzz::config_target
