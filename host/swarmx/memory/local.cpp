#include "host/swarmx/memory/local.hpp"

#include "host/memoryx/weight_reader.hpp"

namespace weft::swarmx {

void LocalMemoryXClient::frames(std::size_t op, std::optional<std::size_t> next, StepClock* clock, const Send& send) {
  {
    const StepClock::In waits(clock, Part::Update);
    memoryx_.wait(plan_.ops[op].tensors);
  }
  if (next) memoryx_.prefetch(plan_.ops[*next].tensors);
  memoryx::WeightReader weights(memoryx_);
  frames_.make(op, weights.parameters(), send);
}

void LocalMemoryXClient::load(const Read& read) {
  memoryx::ParameterStore& store = memoryx_.store();
  int number = 0;
  for (const std::span<float>& vector : store.vectors()) {
    std::uint64_t first = 0;
    memoryx::in_blocks(store, vector, true, [&](std::span<float> block) {
      read(number, first, block);
      first += block.size();
    });
    memoryx::prune(plan_.tensors, plan_.mask, store, vector);
    ++number;
  }
}

}  // namespace weft::swarmx
