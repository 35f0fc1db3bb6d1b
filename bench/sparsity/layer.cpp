#include "bench/sparsity/layer.hpp"

#include <algorithm>

#include "bench/common/work.hpp"
#include "bench/sparsity/sparsity.hpp"
#include "sw/compiler/compile.hpp"
#include "sw/compiler/model/tensors.hpp"
#include "sw/compiler/stream/expand.hpp"
#include "sw/compiler/stream/gradient_order.hpp"
#include "tests/compiler/micro_batch.hpp"

namespace weft::bench {
namespace {

bool is_block(const compiler::Op& op) { return op.name.starts_with("h."); }

/// Checks that the op streams weights or returns gradients of one of `tensors`, or of a bias.
bool uses(const compiler::Plan& plan, const compiler::Op& op, const std::vector<int>& tensors) {
  return op.name.ends_with(".db") || std::ranges::any_of(tensors, [&](int t) {
           const std::vector<int> returned = compiler::tensors_of(op.descriptor, plan.tensors);
           return std::ranges::find(op.tensors, t) != op.tensors.end() ||
                  (op.returns == compiler::Returns::Gradient && std::ranges::find(returned, t) != returned.end());
         });
}

}  // namespace

compiler::Plan layer_plan(const LayerShape& s, double sparsity) {
  const compiler::ModelShape model{.vocab = 32,
                                   .hidden = s.hidden,
                                   .layers = 1,
                                   .heads = s.heads,
                                   .filter = 4 * s.hidden,
                                   .seq = s.seq,
                                   .micro_batch = s.cols / s.sequence_columns * s.sequences};
  const machine::WaferShape wafer{
      .rows = s.rows, .cols = s.cols, .sram_kib = 128, .valves = s.rows, .sequence_columns = s.sequence_columns};
  if (sparsity == 0) return compiler::compile(model, wafer);
  compiler::Plan tensors;
  tensors.tensors = compiler::model_tensors(model);
  return compiler::compile(model, wafer, block_mask(tensors, sparsity));
}

LayerCycles layer_cycles(const compiler::Plan& plan, const std::vector<std::uint64_t>& cycles) {
  const std::vector<int> tensors = block_matrices(plan);
  LayerCycles sum;
  for (std::size_t k = 0; k < plan.ops.size(); ++k) {
    if (!is_block(plan.ops[k])) continue;
    sum.all += cycles[k];
    if (uses(plan, plan.ops[k], tensors)) sum.matrices += cycles[k];
  }
  return sum;
}

LayerCycles rtl_layer_cycles(const compiler::Plan& plan) {
  const auto parameters = compiler::random_parameters(plan, 1);
  const auto wafer = make_rtl_wafer(plan.wafer);
  wafer->feed(plan.load);
  wafer->feed(plan.tokens(compiler::random_tokens(plan, plan.model.micro_batch, 2),
                          compiler::random_tokens(plan, plan.model.micro_batch, 3)));
  wafer->settle();
  std::vector<std::uint64_t> cycles;
  std::vector<machine::Message> messages;
  for (const compiler::Op& op : plan.ops) {
    compiler::expand(op, parameters, messages);
    cycles.push_back(measure(*wafer, [&] {
                       wafer->feed(messages);
                       wafer->settle();
                     }).done.cycles);
  }
  return layer_cycles(plan, cycles);
}

}  // namespace weft::bench
