#include "host/swarmx/tree/ledger.hpp"

#include <algorithm>

namespace weft::swarmx {

void Ledger::begin(std::size_t micro_batches, std::size_t buckets) {
  buckets_ = buckets;
  missing_ = micro_batches;
  entries_.assign(micro_batches, {});
}

bool Ledger::contains(std::uint32_t micro_batch, std::size_t bucket) const {
  const Buckets& in = entries_[micro_batch];
  return in.count == buckets_ || (in.count > 0 && in.buckets[bucket]);
}

Ledger::Entry Ledger::record(std::span<const std::uint32_t> micro_batches, std::size_t bucket) {
  const auto before = std::ranges::count_if(micro_batches, [&](std::uint32_t m) { return contains(m, bucket); });
  if (before > 0) return static_cast<std::size_t>(before) == micro_batches.size() ? Entry::Duplicate : Entry::Partial;
  for (const std::uint32_t micro_batch : micro_batches) {
    Buckets& in = entries_[micro_batch];
    if (in.count == 0) in.buckets.resize(buckets_);
    in.buckets[bucket] = true;
    if (++in.count < buckets_) continue;
    in.buckets = {};
    --missing_;
  }
  return Entry::New;
}

}  // namespace weft::swarmx
