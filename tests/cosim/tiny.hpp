/// The smallest GPTs that use every kernel, as whole micro-batches.
#pragma once

#include "sw/compiler/compile.hpp"
#include "tests/compiler/micro_batch.hpp"

namespace weft::cosim {

/// A compiled model with random parameters and tokens, ready to be streamed.
struct Tiny {
  explicit Tiny(const machine::WaferShape& wafer, const compiler::ModelShape& model, unsigned seed = 1)
      : plan(compiler::compile(model, wafer)),
        parameters(compiler::random_parameters(plan, seed)),
        inputs(compiler::random_tokens(plan, model.micro_batch, seed + 1)),
        labels(compiler::random_tokens(plan, model.micro_batch, seed + 2)),
        messages(compiler::micro_batch_messages(plan, parameters, inputs, labels, totals)) {}

  compiler::Plan plan;
  std::vector<float> parameters;
  std::vector<TokenId> inputs, labels;
  std::vector<std::uint64_t> totals;       ///< [row], words returned
  std::vector<machine::Message> messages;  ///< without plan.load
};

inline compiler::ModelShape tiny_model() {
  compiler::ModelShape m;
  m.vocab = 11, m.hidden = 8, m.layers = 1, m.heads = 2, m.filter = 10, m.seq = 8, m.micro_batch = 2;
  return m;
}

}  // namespace weft::cosim
