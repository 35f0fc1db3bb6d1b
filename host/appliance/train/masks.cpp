#include "host/appliance/train/masks.hpp"

#include <vector>

#include "host/appliance/config/params_filter.hpp"
#include "host/memoryx/pool.hpp"
#include "host/memoryx/pruning.hpp"
#include "host/memoryx/store.hpp"

namespace weft {

Mask make_mask(const Config& config, std::span<const float> weights) {
  const SparsityConfig& s = config.sparsity;
  Mask mask;
  std::vector<float> initial;
  Pool alone(0);
  for (const TensorInfo& tensor : sparse_tensors(config)) {
    if (s.init_method == "random") {
      mask[tensor.name] = random_mask(tensor.name, tensor.size, s.sparsity, static_cast<std::uint64_t>(s.seed));
    } else if (weights.empty()) {
      initial.resize(tensor.size);
      initialise_tensor(tensor, static_cast<std::uint64_t>(config.runconfig.seed), alone, initial);
      mask[tensor.name] = topk_mask(initial, s.sparsity);
    } else {
      mask[tensor.name] = topk_mask(weights.subspan(tensor.offset, tensor.size), s.sparsity);
    }
  }
  return mask;
}

}  // namespace weft
