#include "bench/common/gpt.hpp"

#include <utility>

#include "host/config/file/load.hpp"
#include "host/planning/model_work.hpp"
#include "sw/compiler/compile.hpp"
#include "tests/compiler/micro_batch.hpp"

namespace weft::bench {

config::Config tiny_config(const std::string& backend, int num_csx) {
  return config::load_config(WEFT_CONFIGS "/gpt_tiny.yaml",
                             {{"wafer.backend", backend}, {"runconfig.num_csx", std::to_string(num_csx)}});
}

double model_multiply_adds(const compiler::ModelShape& m) { return planning::model_multiply_adds(m); }

Gpt::Gpt(config::Config c)
    : config(std::move(c)),
      plan(compiler::compile(config.model, config.wafer)),
      parameters(compiler::random_parameters(plan, 1)) {
  const std::vector<TokenId> inputs = compiler::random_tokens(plan, config.model.micro_batch, 2);
  const std::vector<TokenId> labels = compiler::random_tokens(plan, config.model.micro_batch, 3);
  tokens = plan.tokens(inputs, labels);
  micro_batch = compiler::micro_batch_messages(plan, parameters, inputs, labels, totals);
}

}  // namespace weft::bench
