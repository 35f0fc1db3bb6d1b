/// A plan of few words, so that thousands of frames are quick.
#pragma once

#include "tests/compiler/listed_sweep.hpp"
#include "tests/swarmx/fake.hpp"

namespace weft {

inline Plan small_plan() {
  Plan plan = fake_plan();
  plan.parameters = 100;
  plan.tensors = {{"t", {100}, 0, 100, true, 0.02F, 0}};
  std::vector<std::vector<std::uint64_t>> taps(2);
  for (std::uint64_t k = 0; k < plan.parameters; ++k) taps[k % 2].push_back(k);
  for (Op& op : plan.ops) {
    op.tensors.clear();
    op.sweep = {};
    if (op.returns == Returns::Gradient) {
      return_gradients(op, {{0, 1, 2}, {0, 1, 2}});
    } else if (&op != plan.ops.data()) {
      op.commands.push_back({Message::command(Command::CR, 0, 0).data, StreamEntry::kCtrl});
    }
  }
  plan.ops[0].tensors = {0};
  plan.ops[0].sweep = listed_sweep(taps, Sweep::Values::Weights);
  return plan;
}

}  // namespace weft
