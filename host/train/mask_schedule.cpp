#include "host/train/mask_schedule.hpp"

#include <algorithm>

#include "host/config/keys/params_filter.hpp"
#include "host/memoryx/drop_and_grow.hpp"
#include "host/memoryx/pruning.hpp"
#include "host/memoryx/store.hpp"
#include "sw/compiler/model/tensors.hpp"

namespace weft::train {

MaskSchedule::MaskSchedule(const config::Config& config) : config_(config) {
  if (!config.sparsity.is_dynamic()) return;
  for (std::string& name : config::frozen_tensors(config)) frozen_.insert(std::move(name));
}

bool MaskSchedule::is_due(std::uint64_t done) const {
  const config::SparsityConfig& s = config_.sparsity;
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

compiler::Mask MaskSchedule::next_masks(const compiler::Plan& plan, std::uint64_t done,
                                        memoryx::MemoryX& memoryx) const {
  compiler::Mask next;
  for (const auto& [name, kept] : plan.mask)
    next[name] =
        frozen_.contains(name) ? kept : next_mask(compiler::find_tensor(plan.tensors, name), kept, done, memoryx);
  return next;
}

std::vector<bool> MaskSchedule::next_mask(const compiler::TensorInfo& tensor, const std::vector<bool>& kept,
                                          std::uint64_t done, memoryx::MemoryX& memoryx) const {
  const config::SparsityConfig& s = config_.sparsity;
  memoryx::ParameterStore& store = memoryx.store();
  std::vector<float> weights;
  weights.reserve(tensor.size);
  memoryx::in_blocks(store, store.weights().subspan(tensor.offset, tensor.size), false,
                     [&](std::span<float> block) { weights.insert(weights.end(), block.begin(), block.end()); });
  if (s.algorithm == "gmp") {
    const double sparsity =
        memoryx::gradual_sparsity(s.initial_sparsity, s.sparsity, update_index(done), last_update_index());
    return memoryx::pruned(kept, weights, memoryx::kept_elements(tensor.size, sparsity));
  }
  const auto there = static_cast<std::uint64_t>(std::ranges::count(kept, true));
  const auto last = static_cast<std::uint64_t>(s.update_stop - s.update_start);
  const double fraction =
      s.drop_fraction * memoryx::cosine_left(done - static_cast<std::uint64_t>(s.update_start), last);
  std::vector<std::uint64_t> growth;
  if (needs_dense_gradients()) {
    std::vector<std::int64_t> gradients(tensor.size);
    memoryx.gradient(tensor.offset, gradients);
    growth = memoryx::gradient_growth(gradients);
  } else {
    growth = memoryx::random_growth(tensor.name, tensor.size, done, static_cast<std::uint64_t>(s.seed));
  }
  return memoryx::drop_and_grow(kept, weights, growth, memoryx::drop_and_grow_count(there, tensor.size, fraction));
}

}  // namespace weft::train
