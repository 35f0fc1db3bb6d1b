/// A configuration, compiled, with the messages of one micro-batch.
#pragma once

#include <string>
#include <vector>

#include "host/config/config.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::bench {

/// configs/gpt_tiny.yaml with `num_csx` wafers of the backend "rtl" or "model".
config::Config tiny_config(const std::string& backend, int num_csx = 1);

/// Multiply-adds per token that the model itself requires: the matrices and the causal scores, forward, and twice that
/// backward. Partial sums, norms, embeddings and recomputation are not included.
double model_multiply_adds(const compiler::ModelShape& m);

struct Gpt {
  explicit Gpt(config::Config config = tiny_config("rtl"));
  config::Config config;
  compiler::Plan plan;
  std::vector<float> parameters;              ///< random
  std::vector<machine::Message> tokens;       ///< random
  std::vector<machine::Message> micro_batch;  ///< tokens, then all ops
  std::vector<std::uint64_t> totals;          ///< words that each row's outlet returns for it
};

}  // namespace weft::bench
