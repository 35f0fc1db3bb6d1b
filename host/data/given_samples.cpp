#include "host/data/given_samples.hpp"

#include <utility>

#include "sw/base/invariant.hpp"

namespace weft::data {

void GivenSamples::give(std::uint64_t first, Batch batch) {
  invariant(batch.inputs.size() == batch.labels.size() && batch.inputs.size() % seq_ == 0, "samples are whole");
  const std::lock_guard lock(mutex_);
  first_ = first;
  given_ = std::move(batch);
}

void GivenSamples::append(std::uint64_t k, Batch& batch) const {
  const std::lock_guard lock(mutex_);
  invariant(k >= first_ && (k - first_ + 1) * seq_ <= given_.inputs.size(), "a step reads its own samples");
  const auto at = static_cast<std::ptrdiff_t>((k - first_) * seq_), end = at + static_cast<std::ptrdiff_t>(seq_);
  batch.inputs.insert(batch.inputs.end(), given_.inputs.begin() + at, given_.inputs.begin() + end);
  batch.labels.insert(batch.labels.end(), given_.labels.begin() + at, given_.labels.begin() + end);
}

}  // namespace weft::data
