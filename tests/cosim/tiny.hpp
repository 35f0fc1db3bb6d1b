/// The smallest GPTs that use every kernel, as whole micro-batches.
#pragma once

#include "sw/compiler/compile.hpp"
#include "tests/compiler/micro_batch.hpp"

namespace weft {

/// A compiled model with random parameters and tokens, ready to be streamed.
struct Tiny {
  explicit Tiny(const WaferShape& wafer, const ModelShape& model, unsigned seed = 1)
      : plan(compile(model, wafer)),
        parameters(random_parameters(plan, seed)),
        inputs(random_tokens(plan, model.micro_batch, seed + 1)),
        labels(random_tokens(plan, model.micro_batch, seed + 2)),
        messages(micro_batch_messages(plan, parameters, inputs, labels, totals)) {}

  Plan plan;
  std::vector<float> parameters;
  std::vector<TokenId> inputs, labels;
  std::vector<std::uint64_t> totals;  ///< [row], words returned
  std::vector<Message> messages;      ///< without plan.load
};

inline ModelShape tiny_model() {
  ModelShape m;
  m.vocab = 11, m.hidden = 8, m.layers = 1, m.heads = 2, m.filter = 10, m.seq = 8, m.micro_batch = 2;
  return m;
}

}  // namespace weft
