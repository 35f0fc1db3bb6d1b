#include "bench/sparsity/sparsity.hpp"

#include <algorithm>
#include <string>

#include "bench/common/sparse_gemm.hpp"
#include "host/memoryx/pruning.hpp"
#include "sw/compiler/stream/expand.hpp"
#include "sw/compiler/stream/gradient_order.hpp"
#include "tests/compiler/micro_batch.hpp"

namespace weft::bench {
namespace {

double sparsity(int n) { return 1 - static_cast<double>(n) / kInputs; }

double utilization(const NonZeros& non_zeros, int valves = 1) {
  machine::WaferShape wafer_shape = kGemmWafer;
  wafer_shape.valves = valves;
  const SparseGemm gemm(wafer_shape, kInputs, kTokens, kOutputs, non_zeros);
  const auto wafer = make_rtl_wafer(gemm.shape);
  gemm.load(*wafer);
  return gemm.run(*wafer).fpu_utilization();
}

/// Indices of the set bits among kInputs elements of a mask, from element `first` on.
std::vector<int> set_bits(const std::vector<bool>& mask, std::size_t first) {
  std::vector<int> set;
  for (int i = 0; i < kInputs; ++i)
    if (mask[first + static_cast<std::size_t>(i)]) set.push_back(i);
  return set;
}

bool belongs(const compiler::Plan& plan, const std::vector<int>& tensors, std::uint64_t parameter) {
  return std::ranges::any_of(tensors, [&](int t) {
    const compiler::TensorInfo& tensor = plan.tensors[static_cast<std::size_t>(t)];
    return parameter >= tensor.offset && parameter - tensor.offset < tensor.size;
  });
}

/// Adds the counters `done` of one op if it is a GEMM: an op that sends weights of `tensors` and returns nothing.
void add_gemm(const compiler::Plan& plan, const compiler::Op& op, const std::vector<int>& tensors,
              const WaferCounters& done, GemmCounts& sum) {
  std::uint64_t controls = 0, others = 0;
  for (const compiler::StreamEntry& entry : compiler::entries(op)) {
    if (entry.source == compiler::StreamEntry::kCtrl) {
      ++controls;
    } else if (!belongs(plan, tensors, entry.source)) {
      ++others;
    }
  }
  const machine::WaferShape& w = plan.wafer;
  const auto entries = static_cast<std::uint64_t>(plan.tokens_per_column / w.lanes);
  const std::uint64_t beats = done.fma_lanes / static_cast<std::uint64_t>(w.lanes * w.cols);
  // Each row clears its accumulator once, with as many beats as an AXPY, or never.
  const auto clear = static_cast<std::uint64_t>(w.psum_cycles == 4 ? w.rows : 0);
  sum.messages += done.edge_messages - controls - others;
  sum.axpys += beats / entries - clear - others;
  sum.cycles += done.cycles;
}

std::uint64_t delivered(Wafer& wafer) {
  std::uint64_t words = 0;
  for (int row = 0; row < wafer.shape().rows; ++row) words += wafer.outlet(row).size();
  return words;
}

}  // namespace

double even_gemm(int n) {
  return utilization([&](int output, int row) {
    const std::string name = std::to_string(output) + "." + std::to_string(row);
    return set_bits(memoryx::random_mask(name, kInputs, sparsity(n), 1), 0);
  });
}

double scattered_gemm(int n, int valves) {
  const auto size = static_cast<std::uint64_t>(kOutputs) * kGemmWafer.rows * kInputs;
  const std::vector<bool> mask = memoryx::random_mask("scattered", size, sparsity(n), 1);
  return utilization(
      [&](int output, int row) {
        return set_bits(mask, static_cast<std::size_t>(output * kGemmWafer.rows + row) * kInputs);
      },
      valves);
}

std::vector<GemmPoint> gemm_points() {
  std::vector<GemmPoint> points;
  for (int n = 4; n <= 256; n *= 2)
    points.push_back({n, n / (n + 2.0), even_gemm(n), scattered_gemm(n), scattered_gemm(n, kGemmWafer.rows)});
  return points;
}

MicroBatchCounts count_micro_batch(const compiler::Plan& plan, const std::vector<int>& tensors) {
  const auto parameters = compiler::random_parameters(plan, 1);
  const auto wafer = make_rtl_wafer(plan.wafer);
  wafer->feed(plan.load);
  wafer->feed(plan.tokens(compiler::random_tokens(plan, plan.model.micro_batch, 2),
                          compiler::random_tokens(plan, plan.model.micro_batch, 3)));
  wafer->settle();
  MicroBatchCounts counts;
  std::vector<machine::Message> messages;
  for (const compiler::Op& op : plan.ops) {
    compiler::expand(op, parameters, messages);
    const std::uint64_t words = delivered(*wafer);
    const WaferCounters done = measure(*wafer, [&] {
                                 wafer->feed(messages);
                                 wafer->settle();
                               }).done;
    counts.all.cycles += done.cycles;
    counts.all.fma_lanes += done.fma_lanes;
    counts.all.edge_messages += done.edge_messages;
    if (std::ranges::any_of(op.tensors, [&](int t) { return std::ranges::find(tensors, t) != tensors.end(); }))
      add_gemm(plan, op, tensors, done, counts.gemms);
    if (op.returns != compiler::Returns::Gradient) continue;
    counts.gradient_words += delivered(*wafer) - words;
    for (const auto& row : compiler::gradient_parameters(op))
      for (const std::uint64_t parameter : row) counts.gradient_words -= !belongs(plan, tensors, parameter);
  }
  return counts;
}

std::vector<int> block_matrices(const compiler::Plan& plan) {
  std::vector<int> tensors;
  for (std::size_t t = 0; t < plan.tensors.size(); ++t)
    if (plan.tensors[t].name.starts_with("h.") && plan.tensors[t].dims.size() == 2)
      tensors.push_back(static_cast<int>(t));
  return tensors;
}

compiler::Mask block_mask(const compiler::Plan& plan, double sparsity) {
  compiler::Mask mask;
  for (const int t : block_matrices(plan)) {
    const compiler::TensorInfo& tensor = plan.tensors[static_cast<std::size_t>(t)];
    mask[tensor.name] = memoryx::random_mask(tensor.name, tensor.size, sparsity, 1);
  }
  return mask;
}

}  // namespace weft::bench
