/// The smallest GPTs that use every kernel, as whole micro-batches.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

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
        messages(compiler::micro_batch_messages(plan, parameters, inputs, labels, totals)) {
    const std::vector<std::uint64_t> of_one = totals;
    for (int group = 1; group < wafer.row_groups; ++group) totals.insert(totals.end(), of_one.begin(), of_one.end());
  }

  /// Feeds the micro-batch, `chunk` messages at a time; group g of the rows gets tokens of its own if g > 0.
  void feed(Wafer& wafer, std::size_t chunk = 1'000'000) const {
    const auto in_chunks = [&](std::span<const machine::Message> all, const auto& feed) {
      for (std::size_t i = 0; i < all.size(); i += chunk) feed(all.subspan(i, std::min(chunk, all.size() - i)));
    };
    const std::size_t own = plan.tokens(inputs, labels).size();
    for (int group = 0; group < wafer.shape().row_groups; ++group)
      in_chunks(tokens(group), [&](auto part) { wafer.feed_group(group, part); });
    in_chunks(std::span(messages).subspan(own), [&](auto part) { wafer.feed(part); });
  }

  /// The messages that put a group's tokens into its PEs.
  std::vector<machine::Message> tokens(int group) const {
    if (group == 0) return plan.tokens(inputs, labels);
    const auto other = [&](unsigned seed) { return compiler::random_tokens(plan, plan.model.micro_batch, seed); };
    const auto seed = 100 * static_cast<unsigned>(group);
    return plan.tokens(other(seed), other(seed + 1));
  }

  compiler::Plan plan;
  std::vector<float> parameters;
  std::vector<TokenId> inputs, labels;
  std::vector<std::uint64_t> totals;       ///< [row of all groups], words returned
  std::vector<machine::Message> messages;  ///< without plan.load; of group 0
};

inline compiler::ModelShape tiny_model() {
  compiler::ModelShape m;
  m.vocab = 11, m.hidden = 8, m.layers = 1, m.heads = 2, m.filter = 10, m.seq = 8, m.micro_batch = 2;
  return m;
}

}  // namespace weft::cosim
