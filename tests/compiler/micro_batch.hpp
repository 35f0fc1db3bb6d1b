/// Runs one micro-batch of a plan on a wafer, without MemoryX and SwarmX.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "sw/compiler/plan/plan.hpp"
#include "sw/compiler/stream/expand.hpp"
#include "sw/compiler/stream/gradient_order.hpp"
#include "verif/wafer.hpp"

namespace weft::compiler {

struct MicroBatchRun {
  double loss_sum = 0;
  std::vector<double> grad;  ///< laid out like the parameters, summed over the tokens
  std::uint64_t messages = 0;
};

inline std::vector<float> random_parameters(const Plan& plan, unsigned seed, float spread = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> p(plan.parameters);
  for (const TensorInfo& t : plan.tensors)
    for (std::uint64_t k = 0; k < t.size; ++k)
      p[t.offset + k] = t.init_value + spread * (t.init_std > 0 ? 3 * t.init_std : 0.05F) * normal(random);
  return p;
}

inline std::vector<TokenId> random_tokens(const Plan& plan, int sequences, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<TokenId> t(static_cast<std::size_t>(sequences) * plan.model.seq);
  for (auto& id : t) id = static_cast<TokenId>(random() % plan.model.vocab);
  return t;
}

/// Labels of all of the network's losses, which some tokens lack unless the only loss is that of tokens.
inline std::vector<TokenId> random_labels(const Plan& plan, int sequences, unsigned seed) {
  if (plan.losses == Losses{Labels::Tokens}) return random_tokens(plan, sequences, seed);
  std::mt19937 random(seed);
  std::vector<TokenId> labels(static_cast<std::size_t>(sequences) * plan.model.seq);
  for (TokenId& word : labels) {
    const auto cls = static_cast<TokenId>(random() % plan.model.classes), token = static_cast<TokenId>(random());
    if (plan.losses.back() == Labels::Numbers)
      word = token % 5 == 0 ? kNoLabel : std::bit_cast<TokenId>(static_cast<float>(token % 1000) / 500 - 1);
    else
      word = plan.losses.size() < 2
                 ? (token % 5 == 0 ? kNoLabel : cls)
                 : with_class(token % 3 == 0 ? kNoLabel : token % plan.model.vocab, token % 4 == 0 ? kNoLabel : cls);
  }
  return labels;
}

/// Random tokens of a micro-batch, of all kinds of segments if the model has segments.
inline std::vector<TokenId> random_inputs(const Plan& plan, unsigned seed) {
  std::vector<TokenId> inputs = random_tokens(plan, plan.model.micro_batch, seed);
  for (std::size_t t = 0; t < inputs.size() && plan.model.has_segments(); ++t)
    inputs[t] = with_segment(inputs[t], static_cast<int>(t % 5) % plan.model.segments);
  for (std::size_t t = 0; t < inputs.size() && plan.model.vsl; ++t)
    if (token_of(inputs[t]) % 3 == 1) inputs[t] |= kBeginsDocument;
  return inputs;
}

/// The samples of a micro-batch, by which a network with dropout drops features.
constexpr DropoutSamples kDropped = {.step = 5, .first = 8};

/// The messages of a whole micro-batch; adds each row's number of returned words to `totals`.
inline std::vector<machine::Message> micro_batch_messages(const Plan& plan, const std::vector<float>& parameters,
                                                          const std::vector<TokenId>& inputs,
                                                          const std::vector<TokenId>& labels,
                                                          std::vector<std::uint64_t>& totals, float class_weight = 1) {
  std::vector<machine::Message> all = plan.tokens(inputs, labels, class_weight, &kDropped), part;
  totals.assign(plan.wafer.rows, 0);
  for (const Op& op : plan.ops) {
    expand(op, parameters, part);
    all.insert(all.end(), part.begin(), part.end());
    for (int r = 0; r < plan.wafer.rows; ++r) totals[r] += op.returned[r];
  }
  return all;
}

/// Runs a micro-batch on a loaded, idle wafer and leaves it idle. `delivered`, [row]: number of words that the outlets
/// have delivered so far; words not yet consumed are discarded.
inline MicroBatchRun run_loaded(const Plan& plan, Wafer& wafer, std::vector<std::uint64_t>& delivered,
                                const std::vector<float>& parameters, const std::vector<TokenId>& inputs,
                                const std::vector<TokenId>& labels, float class_weight = 1) {
  MicroBatchRun run;
  run.grad.assign(plan.parameters, 0);
  std::vector<std::uint64_t> totals;
  const std::vector<machine::Message> messages =
      micro_batch_messages(plan, parameters, inputs, labels, totals, class_weight);
  run.messages = messages.size();
  for (std::size_t r = 0; r < totals.size(); ++r) {
    delivered[r] += totals[r];
    wafer.outlet(static_cast<int>(r)).clear();
  }
  wafer.feed(messages);
  wafer.await(delivered);
  wafer.settle();
  std::vector<std::size_t> at(plan.wafer.rows, 0);
  const int sequences = static_cast<int>(inputs.size()) / plan.model.seq;
  std::size_t losses = 0;
  for (const Op& op : plan.ops) {
    if (op.returns == Returns::Loss) {
      const auto& words = wafer.outlet(0);
      const int t = plan.tokens_per_column, half = t * plan.wafer.cols;
      for (int k = 0; k < half; ++k)
        if (const int token = plan.token_at(k / t, k % t, sequences);
            token >= 0 && label_of(plan.losses, labels[static_cast<std::size_t>(token)], losses) != kNoLabel)
          run.loss_sum +=
              std::log(std::bit_cast<float>(words[at[0] + k])) + std::bit_cast<float>(words[at[0] + half + k]);
      ++losses;
    }
    const auto order =
        op.returns == Returns::Gradient ? gradient_parameters(op) : std::vector<std::vector<std::uint64_t>>{};
    for (int r = 0; r < plan.wafer.rows; ++r) {
      if (op.returns == Returns::Gradient)
        for (std::uint32_t k = 0; k < op.returned[r]; ++k)
          run.grad[order[r][k]] += std::bit_cast<float>(wafer.outlet(r)[at[r] + k]);
      at[r] += op.returned[r];
    }
  }
  return run;
}

/// Runs a micro-batch on a new wafer.
inline MicroBatchRun run_micro_batch(const Plan& plan, Wafer& wafer, const std::vector<float>& parameters,
                                     const std::vector<TokenId>& inputs, const std::vector<TokenId>& labels,
                                     float class_weight = 1) {
  wafer.feed(plan.load);
  std::vector<std::uint64_t> delivered(static_cast<std::size_t>(plan.wafer.rows));
  return run_loaded(plan, wafer, delivered, parameters, inputs, labels, class_weight);
}

}  // namespace weft::compiler
