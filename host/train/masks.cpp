#include "host/train/masks.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "host/config/keys/params_filter.hpp"
#include "host/memoryx/pool.hpp"
#include "host/memoryx/pruning.hpp"
#include "host/memoryx/store.hpp"

namespace weft::train {

namespace {

/// Masks that prune the zeros of the checkpoint; a tensor without zeros gets no mask.
compiler::Mask mask_of_zeros(const config::Config& config, const checkpoint::CheckpointReader* checkpoint) {
  if (checkpoint == nullptr)
    throw config.error("sparsity.init_method", "checkpoint, but there is none yet", "set runconfig.checkpoint_path");
  compiler::Mask mask;
  for (const compiler::TensorInfo& tensor : config::sparse_tensors(config)) {
    std::vector<bool> kept;
    kept.reserve(tensor.size);
    checkpoint->for_each(checkpoint::CheckpointReader::kWeights, tensor.offset, tensor.size,
                         [&](std::span<const float> weights) {
                           for (const float w : weights) kept.push_back(w != 0);
                         });
    if (std::ranges::count(kept, false) > 0) mask[tensor.name] = std::move(kept);
  }
  return mask;
}

}  // namespace

compiler::Mask make_mask(const config::Config& config, const checkpoint::CheckpointReader* checkpoint) {
  if (config.sparsity.init_method == "checkpoint") return mask_of_zeros(config, checkpoint);
  const config::SparsityConfig& s = config.sparsity;
  compiler::Mask mask;
  std::vector<float> weights;  // weights of the current tensor
  memoryx::Pool alone(0);
  for (const compiler::TensorInfo& tensor : config::sparse_tensors(config)) {
    if (s.init_method == "random") {
      mask[tensor.name] =
          memoryx::random_mask(tensor.name, tensor.size, s.initial(), static_cast<std::uint64_t>(s.seed));
      continue;
    }
    weights.resize(tensor.size);
    if (checkpoint == nullptr) {
      memoryx::initialise_tensor(tensor, static_cast<std::uint64_t>(config.runconfig.seed), alone, weights);
    } else {
      checkpoint->read(checkpoint::CheckpointReader::kWeights, tensor.offset, weights);
    }
    mask[tensor.name] = memoryx::topk_mask(weights, s.initial());
  }
  return mask;
}

}  // namespace weft::train
