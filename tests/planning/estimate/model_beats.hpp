/// Compares the beats that the estimate derives for each op of a plan with the functional model's counts.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "host/planning/phases.hpp"
#include "sw/compiler/stream/expand.hpp"
#include "verif/wafer.hpp"

namespace weft::planning {

/// Checks each op's beats, on the busiest row. Beats do not depend on values, so all weights are zero.
inline void expect_beats_of_the_model(const compiler::Plan& plan, const std::vector<TokenId>& inputs,
                                      const std::vector<TokenId>& labels) {
  const auto wafer = make_model_wafer(plan.wafer);
  wafer->feed(plan.load);
  constexpr compiler::DropoutSamples kTrained = {.step = 0, .first = 0};
  wafer->feed(plan.tokens(inputs, labels, 1, &kTrained));
  CycleEstimate estimate(plan);
  std::vector<machine::Message> messages;
  for (const compiler::Op& op : plan.ops) {
    std::vector<std::uint64_t> beats = wafer->row_beats();
    compiler::expand(op, {}, messages);
    wafer->feed(messages);
    wafer->settle();
    const std::vector<std::uint64_t> after = wafer->row_beats();
    for (std::size_t r = 0; r < beats.size(); ++r) beats[r] = after[r] - beats[r];
    const Phase phase = estimate.of(op);
    EXPECT_EQ(phase.beats, *std::ranges::max_element(beats)) << op.name;
    EXPECT_EQ(phase.sent, messages.size()) << op.name;
    EXPECT_GE(phase.cycles, phase.beats) << op.name;
  }
}

}  // namespace weft::planning
