#include "host/memoryx/store.hpp"

#include <algorithm>
#include <vector>

#include "host/memoryx/normal.hpp"
#include "host/memoryx/shards.hpp"

namespace weft {
namespace {

class DramStore final : public ParameterStore {
 public:
  explicit DramStore(std::uint64_t parameters) : weights_(parameters), first_(parameters), second_(parameters) {}
  std::span<float> weights() override { return weights_; }
  std::span<float> first_moments() override { return first_; }
  std::span<float> second_moments() override { return second_; }

 private:
  std::vector<float> weights_;
  std::vector<float> first_;
  std::vector<float> second_;
};

}  // namespace

std::unique_ptr<ParameterStore> make_dram_store(std::uint64_t parameters) {
  return std::make_unique<DramStore>(parameters);
}

void initialise_tensor(const TensorInfo& tensor, std::uint64_t seed, Pool& pool, std::span<float> weights) {
  if (tensor.init_std == 0) {
    std::ranges::fill(weights, tensor.init_value);
    return;
  }
  const NormalStream normal(seed, tensor.name);
  for_each_shard(weights.size(), pool, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      weights[i] = static_cast<float>(static_cast<double>(tensor.init_std) * normal(i));
    }
  });
}

void initialise(std::span<const TensorInfo> tensors, std::uint64_t seed, Pool& pool, ParameterStore& store) {
  std::ranges::fill(store.first_moments(), 0.0F);
  std::ranges::fill(store.second_moments(), 0.0F);
  for (const TensorInfo& tensor : tensors)
    initialise_tensor(tensor, seed, pool, store.weights().subspan(tensor.offset, tensor.size));
}

}  // namespace weft
