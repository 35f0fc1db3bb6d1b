/// A plan with few words, so that thousands of frames are quick.
#pragma once

#include "host/memoryx/shards.hpp"
#include "tests/compiler/listed_stream.hpp"
#include "tests/swarmx/fake.hpp"

namespace weft::swarmx {

inline compiler::Plan small_plan() {
  compiler::Plan plan = fake_plan();
  plan.parameters = 100;
  plan.tensors = {{"t", {100}, 0, 100, true, 0.02F, 0, {network::Role::Hidden}}};
  std::vector<std::vector<std::uint64_t>> elements(2);
  for (std::uint64_t k = 0; k < plan.parameters; ++k) elements[k % 2].push_back(k);
  for (compiler::Op& op : plan.ops) {
    op.tensors.clear();
    op.descriptor = {};
    if (op.returns == compiler::Returns::Gradient) {
      compiler::return_gradients(op, {{0, 1, 2}, {0, 1, 2}});
    } else if (&op != plan.ops.data()) {
      op.commands.push_back({machine::Message::command(machine::Command::CR, 0, 0).data, compiler::StreamEntry::kCtrl});
    }
  }
  plan.ops[0].tensors = {0};
  plan.ops[0].descriptor = compiler::listed_stream(elements, compiler::StreamDescriptor::Values::Weights);
  return plan;
}

/// Three tensors in three shards; any two neighbors share one. Ops stream the first and the last tensor, which are
/// small, and return gradients of all.
inline compiler::Plan small_parted_plan() {
  constexpr std::uint32_t kWide = 2 * memoryx::kShard;
  compiler::Plan plan = small_plan();
  plan.parameters = 100 + kWide;
  plan.tensors = {{"a", {40}, 0, 40, true, 0.02F, 0, {network::Role::Hidden}},
                  {"wide", {kWide}, 40, kWide, false, 0, 1, {network::Role::Hidden}},
                  {"c", {60}, 40 + kWide, 60, true, 0.02F, 0, {network::Role::Hidden}}};
  const auto streams = [&](std::size_t op, int tensor) {
    const compiler::TensorInfo& info = plan.tensors[static_cast<std::size_t>(tensor)];
    std::vector<std::vector<std::uint64_t>> elements(2);
    for (std::uint64_t k = 0; k < info.size; ++k) elements[k % 2].push_back(info.offset + k);
    plan.ops[op].tensors = {tensor};
    plan.ops[op].commands.resize(1);  // the call
    plan.ops[op].descriptor = compiler::listed_stream(elements, compiler::StreamDescriptor::Values::Weights);
  };
  streams(0, 0);
  streams(1, 2);
  compiler::return_gradients(plan.ops[2], {{0, 1, 2, 41 + kWide}, {40 + kWide, 7}});
  compiler::return_gradients(plan.ops[3],
                             {{50, memoryx::kShard, 2 * memoryx::kShard + 3}, {39 + kWide, 42 + kWide, 45}});
  return plan;
}

}  // namespace weft::swarmx
