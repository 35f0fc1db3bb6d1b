#include "host/train/masks.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "host/config/keys/params_filter.hpp"
#include "host/memoryx/pool.hpp"
#include "host/memoryx/pruning.hpp"
#include "host/memoryx/store.hpp"

namespace weft {

namespace {

/// Masks that prune the zeros of the checkpoint; a tensor without zeros gets no mask.
Mask mask_of_zeros(const Config& config, const CheckpointReader* checkpoint) {
  if (checkpoint == nullptr)
    throw config.error("sparsity.init_method", "checkpoint, but there is none yet", "set runconfig.checkpoint_path");
  Mask mask;
  for (const TensorInfo& tensor : sparse_tensors(config)) {
    std::vector<bool> kept;
    kept.reserve(tensor.size);
    checkpoint->for_each(CheckpointReader::kWeights, tensor.offset, tensor.size, [&](std::span<const float> weights) {
      for (const float w : weights) kept.push_back(w != 0);
    });
    if (std::ranges::count(kept, false) > 0) mask[tensor.name] = std::move(kept);
  }
  return mask;
}

}  // namespace

Mask make_mask(const Config& config, const CheckpointReader* checkpoint) {
  if (config.sparsity.init_method == "checkpoint") return mask_of_zeros(config, checkpoint);
  const SparsityConfig& s = config.sparsity;
  Mask mask;
  std::vector<float> weights;  // of the current tensor
  Pool alone(0);
  for (const TensorInfo& tensor : sparse_tensors(config)) {
    if (s.init_method == "random") {
      mask[tensor.name] = random_mask(tensor.name, tensor.size, s.initial(), static_cast<std::uint64_t>(s.seed));
      continue;
    }
    weights.resize(tensor.size);
    if (checkpoint == nullptr) {
      initialise_tensor(tensor, static_cast<std::uint64_t>(config.runconfig.seed), alone, weights);
    } else {
      checkpoint->read(CheckpointReader::kWeights, tensor.offset, weights);
    }
    mask[tensor.name] = topk_mask(weights, s.initial());
  }
  return mask;
}

}  // namespace weft
