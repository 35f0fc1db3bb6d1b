/// Attention of a head that lies over 8 rows and a sequence over 8 columns, in both of its forms
/// (docs/explanation/attention_rows.md).
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/benches.hpp"
#include "bench/print.hpp"
#include "host/planning/phases.hpp"
#include "sw/compiler/compile.hpp"
#include "sw/compiler/stream/expand.hpp"
#include "verif/wafer.hpp"

namespace weft::bench {
namespace {

constexpr int kHeadTiles = 8;       // rows of the head, and columns of the sequence
constexpr double kTimesFaster = 6;  // goal

struct AttentionCycles {
  double forward = 0, backward = 0;
};

/// `before`: of commit 93830aa6, which all-reduced four keys at a time and passed on queries with their state.
struct SpreadHead {
  int features = 0, tokens = 0;  ///< of the head in a row; of the sequence in a column
  AttentionCycles before;
};
constexpr SpreadHead kSpreadHeads[] = {{8, 4, {8666, 21419}}, {3, 12, {18617, 49517}}, {8, 12, {26551, 70402}}};

compiler::Plan spread_head(const SpreadHead& shape, const char* attention) {
  const compiler::ModelShape model{.vocab = 96,
                                   .hidden = kHeadTiles * shape.features,
                                   .layers = 1,
                                   .heads = 1,
                                   .filter = 64,
                                   .seq = kHeadTiles * shape.tokens,
                                   .micro_batch = 1,
                                   .attention = attention};
  return compiler::compile(
      model,
      {.rows = kHeadTiles, .cols = kHeadTiles, .sram_kib = 128, .valves = kHeadTiles, .sequence_columns = kHeadTiles});
}

/// Cycles of the attention ops on the RTL, each with a rest before and behind it.
AttentionCycles attention_cycles(const compiler::Plan& plan) {
  const auto wafer = make_rtl_wafer(plan.wafer);
  const auto cycles_of = [&](const std::vector<machine::Message>& messages) {
    const std::uint64_t before = wafer->counters().cycles;
    wafer->feed(messages);
    wafer->settle();
    for (int row = 0; row < plan.wafer.rows; ++row) wafer->outlet(row).clear();
    return static_cast<double>(wafer->counters().cycles - before);
  };
  cycles_of(plan.load);
  const std::vector<TokenId> ids = planning::some_tokens(plan.model);
  cycles_of(plan.tokens(ids, ids));
  const std::vector<float> parameters(plan.parameters, 0.01F);  // cycles do not depend on values
  AttentionCycles cycles;
  std::vector<machine::Message> messages;
  for (const compiler::Op& op : plan.ops) {
    compiler::expand(op, parameters, messages);
    const double op_cycles = cycles_of(messages);
    if (op.name == "h.0.attn") cycles.forward = op_cycles;
    if (op.name == "h.0.attn.dx") cycles.backward = op_cycles;
  }
  return cycles;
}

}  // namespace

void attention_spread() {
  heading(
      "attention_spread: cycles of a head over 8 rows with a sequence over 8 columns, by form; RTL, from rest to rest");
  for (const SpreadHead& shape : kSpreadHeads) {
    const AttentionCycles stored = attention_cycles(spread_head(shape, "stored")),
                          shared = attention_cycles(spread_head(shape, "shared"));
    const double pairs = shape.tokens * (shape.tokens / 4.0) * kHeadTiles, ideal = 2.0 * shape.features * pairs;
    const double forward = shape.before.forward / std::min(stored.forward, shared.forward),
                 backward = shape.before.backward / std::min(stored.backward, shared.backward);
    row("attention_spread", {{"features", shape.features},
                             {"tokens", shape.tokens},
                             {"ideal", ideal},
                             {"stored", stored.forward},
                             {"stored_back", stored.backward},
                             {"shared", shared.forward},
                             {"shared_back", shared.backward},
                             {"times", forward},
                             {"times_back", backward}});
    const std::string name = fmt::format("{} features a row, {} tokens a column, ", shape.features, shape.tokens);
    goal(name + "forward", forward, "times faster", kTimesFaster);
    goal(name + "backward", backward, "times faster", kTimesFaster);
  }
}

}  // namespace weft::bench
