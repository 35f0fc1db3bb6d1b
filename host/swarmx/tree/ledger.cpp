#include "host/swarmx/tree/ledger.hpp"

#include <algorithm>

namespace weft {

void Ledger::begin(std::size_t micro_batches, std::size_t slots) {
  slots_ = slots;
  missing_ = micro_batches;
  in_.assign(micro_batches, {});
}

bool Ledger::is_in(std::uint32_t micro_batch, std::size_t slot) const {
  const In& in = in_[micro_batch];
  return in.count == slots_ || (in.count > 0 && in.slots[slot]);
}

Ledger::Entry Ledger::enter(std::span<const std::uint32_t> micro_batches, std::size_t slot) {
  const auto before = std::ranges::count_if(micro_batches, [&](std::uint32_t m) { return is_in(m, slot); });
  if (before > 0) return static_cast<std::size_t>(before) == micro_batches.size() ? Entry::Twice : Entry::Half;
  for (const std::uint32_t micro_batch : micro_batches) {
    In& in = in_[micro_batch];
    if (in.count == 0) in.slots.resize(slots_);
    in.slots[slot] = true;
    if (++in.count < slots_) continue;
    in.slots = {};
    --missing_;
  }
  return Entry::New;
}

}  // namespace weft
