#include "sw/network/operations.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace weft::network {

void NetworkMaker::need_inputs(const Written& from, std::size_t n) const {
  if (from.in.size() != n) fail(from, fmt::format("has {} inputs", from.in.size()), fmt::format("give it {}", n));
}

void NetworkMaker::need_outputs(const Written& from, std::size_t n) const {
  if (from.out.size() != n) fail(from, fmt::format("has {} outputs", from.out.size()), fmt::format("give it {}", n));
}

std::string ScheduleMaker::output(const NetworkOperation& op, std::size_t n) const {
  return op.out.size() == 1 ? op.name : op.name + "." + network().value(op.out[n]).name;
}

std::vector<ArrayUse> uses_of(const Step& step, const LayerGraph& network) {
  if (step.op < 0) return {};
  if (step.kind == Step::Kind::Logits) return {{step.value, false, false}};
  std::vector<ArrayUse> uses;
  const NetworkOperation& op = network.operations[static_cast<std::size_t>(step.op)];
  if (step.through.empty()) return rules_of(op.kind).uses(step, op);
  for (const int through : step.through)
    use_all(uses, network.operations[static_cast<std::size_t>(through)].out, true, false);
  uses.push_back({step.value, true, !step.adds});
  return uses;
}

const OperationRules& rules_of(OperationKind kind) {
  return **std::ranges::find(all_operations(), kind, [](const OperationRules* rules) { return rules->kind; });
}

}  // namespace weft::network
