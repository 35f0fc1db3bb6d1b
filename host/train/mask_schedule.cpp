#include "host/train/mask_schedule.hpp"

#include <algorithm>

#include "host/config/keys/params_filter.hpp"
#include "host/memoryx/drop_and_grow.hpp"
#include "host/memoryx/pruning.hpp"
#include "host/memoryx/store.hpp"
#include "sw/compiler/model/tensors.hpp"

namespace weft {

MaskSchedule::MaskSchedule(const Config& config) : config_(config) {
  if (!config.sparsity.is_dynamic()) return;
  for (std::string& name : frozen_tensors(config)) frozen_.insert(std::move(name));
}

bool MaskSchedule::due(std::uint64_t done) const {
  const SparsityConfig& s = config_.sparsity;
  const auto start = static_cast<std::uint64_t>(s.update_start), stop = static_cast<std::uint64_t>(s.update_stop);
  const bool last = done == stop && s.algorithm != "gmp";  // the last update would exchange no weights
  // The initial masks take the place of the update at step 0.
  return s.is_dynamic() && done > 0 && done >= start && done <= stop && !last &&
         (done - start) % static_cast<std::uint64_t>(s.update_freq) == 0;
}

std::uint64_t MaskSchedule::update_index(std::uint64_t done) const {
  return (done - static_cast<std::uint64_t>(config_.sparsity.update_start)) /
         static_cast<std::uint64_t>(config_.sparsity.update_freq);
}

std::uint64_t MaskSchedule::last_update_index() const {
  return update_index(static_cast<std::uint64_t>(config_.sparsity.update_stop));
}

Mask MaskSchedule::next_masks(const Plan& plan, std::uint64_t done, MemoryX& memoryx) const {
  Mask next;
  for (const auto& [name, kept] : plan.mask)
    next[name] = frozen_.contains(name) ? kept : next_mask(find_tensor(plan.tensors, name), kept, done, memoryx);
  return next;
}

std::vector<bool> MaskSchedule::next_mask(const TensorInfo& tensor, const std::vector<bool>& kept, std::uint64_t done,
                                          MemoryX& memoryx) const {
  const SparsityConfig& s = config_.sparsity;
  ParameterStore& store = memoryx.store();
  std::vector<float> weights;
  weights.reserve(tensor.size);
  in_blocks(store, store.weights().subspan(tensor.offset, tensor.size), false,
            [&](std::span<float> block) { weights.insert(weights.end(), block.begin(), block.end()); });
  if (s.algorithm == "gmp") {
    const double sparsity = gradual_sparsity(s.initial_sparsity, s.sparsity, update_index(done), last_update_index());
    return pruned(kept, weights, kept_elements(tensor.size, sparsity));
  }
  const auto there = static_cast<std::uint64_t>(std::ranges::count(kept, true));
  const auto last = static_cast<std::uint64_t>(s.update_stop - s.update_start);
  const double fraction = s.drop_fraction * cosine_left(done - static_cast<std::uint64_t>(s.update_start), last);
  std::vector<std::uint64_t> growth;
  if (needs_dense_gradients()) {
    std::vector<std::int64_t> gradients(tensor.size);
    memoryx.gradient(tensor.offset, gradients);
    growth = gradient_growth(gradients);
  } else {
    growth = random_growth(tensor.name, tensor.size, done, static_cast<std::uint64_t>(s.seed));
  }
  return drop_and_grow(kept, weights, growth, drop_and_grow_count(there, tensor.size, fraction));
}

}  // namespace weft
