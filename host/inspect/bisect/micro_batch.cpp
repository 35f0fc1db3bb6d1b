#include "host/inspect/bisect/micro_batch.hpp"

#include "host/inspect/snapshot_to_rtl.hpp"
#include "sw/compiler/stream/expand.hpp"

namespace weft::inspect::bisect {

PhaseRunner::PhaseRunner(const compiler::Plan& plan, std::span<const float> parameters,
                         std::span<const machine::Message> tokens, Wafer& wafer, std::uint64_t step,
                         std::uint64_t micro_batch)
    : plan_(plan), parameters_(parameters), tokens_(tokens), wafer_(wafer), step_(step), micro_batch_(micro_batch) {}

std::string PhaseRunner::name(std::size_t n) const {
  return n == 0 ? "load" : n == 1 ? "tokens" : plan_.ops.at(n - 2).name;
}

std::vector<machine::Message> PhaseRunner::messages(std::size_t n) const {
  std::vector<machine::Message> messages;
  if (n == 0) return plan_.load;
  if (n == 1) return {tokens_.begin(), tokens_.end()};
  compiler::expand(plan_.ops.at(n - 2), parameters_, messages);
  return messages;
}

void PhaseRunner::run(std::size_t n, std::span<const machine::Message> messages) {
  for (int r = 0; r < plan_.wafer.rows; ++r) wafer_.outlet(r).clear();
  wafer_.at({.wafer = 0, .step = step_ - 1, .micro_batch = micro_batch_, .phase = name(n)});
  wafer_.feed(messages);
  wafer_.settle();
}

std::size_t PhaseRunner::find(const std::string& name) const {
  if (name == "load") return 0;
  if (name == "tokens") return 1;
  return find_phase(plan_, name) + 2;
}

}  // namespace weft::inspect::bisect
