/// Masked weights occur in no stream and in no gradient, and all others do.
#include "sw/compiler/model/mask.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "sw/compiler/compile.hpp"
#include "sw/compiler/plan/plan.hpp"
#include "sw/compiler/stream/expand.hpp"
#include "sw/compiler/stream/gradient_order.hpp"

namespace weft::compiler {
namespace {

/// Number of occurrences of each parameter in an op's stream, and in its gradient.
struct Uses {
  std::map<std::uint64_t, int> streamed, returned;
};

Uses uses(const Op& op) {
  Uses u;
  for (const StreamEntry& entry : entries(op))
    if (entry.source < StreamEntry::kLiteral) ++u.streamed[entry.source];
  if (op.returns != Returns::Gradient) return u;
  for (const auto& row : gradient_parameters(op))
    for (const std::uint64_t parameter : row) ++u.returned[parameter];
  return u;
}

std::size_t controls(const Op& op) {
  return static_cast<std::size_t>(std::ranges::count(entries(op), StreamEntry::kCtrl, &StreamEntry::source));
}

TEST(Mask, LeavesOutWhatItDoesNotKeepAndNothingElse) {
  const ModelShape model{.vocab = 30, .hidden = 24, .layers = 1, .heads = 3, .filter = 20, .seq = 8, .tied = false};
  const machine::WaferShape wafer{.turns = false};  // both plans have one output at a time
  const Plan dense = compile(model, wafer);
  std::mt19937 random(3);
  Mask mask;
  for (const TensorInfo& t : dense.tensors) {
    if (t.dims.size() != 2 || t.name == "wpe.weight") continue;
    std::vector<bool>& bits = mask[t.name];
    for (std::uint64_t k = 0; k < t.size; ++k) bits.push_back(random() % 4 == 0);
  }
  const Plan sparse = compile(model, wafer, mask);
  const std::vector<bool> kept = kept_parameters(dense.tensors, mask);
  EXPECT_EQ(static_cast<std::uint64_t>(std::ranges::count(kept, true)), count_kept(dense.tensors, mask));
  std::map<std::uint64_t, int> returned, returned_dense;
  for (const Op& op : dense.ops) {
    SCOPED_TRACE(op.name);
    for (const auto& [parameter, times] : uses(op).returned) returned_dense[parameter] += times;
    const auto same = std::ranges::find(sparse.ops, op.name, &Op::name);
    if (op.returns == Returns::Gradient) continue;  // may be merged with others, or index the other side
    ASSERT_NE(same, sparse.ops.end());
    Uses all = uses(op);
    std::erase_if(all.streamed, [&](const auto& use) { return !kept[use.first]; });
    EXPECT_EQ(uses(*same).streamed, all.streamed);
    EXPECT_EQ(controls(*same), controls(op));  // every output is still terminated
  }
  for (const Op& op : sparse.ops) {
    for (const auto& [parameter, times] : uses(op).returned) returned[parameter] += times;
    if (op.returns != Returns::Gradient) continue;
    const auto order = gradient_parameters(op);
    for (std::size_t row = 0; row < order.size(); ++row) EXPECT_EQ(op.returned[row], order[row].size());
  }
  std::erase_if(returned_dense, [&](const auto& use) { return !kept[use.first]; });
  EXPECT_EQ(returned, returned_dense);
}

TEST(Mask, AllOnesMakeADensePlan) {
  const Plan dense = compile({}, {});
  Mask mask;
  for (const TensorInfo& t : dense.tensors) mask[t.name] = std::vector<bool>(t.size, true);
  const Plan same = compile({}, {}, mask);
  for (std::size_t n = 0; n < dense.ops.size(); ++n)
    EXPECT_EQ(entries(same.ops[n]).size(), entries(dense.ops[n]).size());
  EXPECT_EQ(count_kept(dense.tensors, mask), dense.parameters);
}

TEST(Mask, OtherModelIsRejected) {
  EXPECT_THROW(compile({}, {}, {{"h.7.attn.c_attn.weight", {true}}}), std::invalid_argument);
  EXPECT_THROW(compile({}, {}, {{"wte.weight", {true, false}}}), std::invalid_argument);
}

TEST(Mask, PrunesAFlatVector) {
  const Plan plan = compile({}, {});
  const TensorInfo& wpe = plan.tensors.at(1);
  std::vector<bool> bits(wpe.size, true);
  bits[2] = false;
  std::vector<float> values(plan.parameters, 1);
  prune(plan.tensors, {{wpe.name, bits}}, values);
  EXPECT_EQ(std::ranges::count(values, 0.0F), 1);
  EXPECT_EQ(values[wpe.offset + 2], 0);
}

}  // namespace
}  // namespace weft::compiler
