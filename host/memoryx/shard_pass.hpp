/// The optimizer's one pass over a shard: the gradient's norm, its rule and the state's hash, block by block while a
/// block is in the cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "host/memoryx/optimizer.hpp"
#include "host/memoryx/state_hash.hpp"
#include "host/memoryx/store.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

/// What a step leaves to be known of a shard. Those of all shards, in order, say it of the state.
struct ShardDone {
  double square = 0;   ///< sum of the squares of its gradients, means over tokens before clipping
  StateShard hash;     ///< after the update
  bool within = true;  ///< all weights are below kWeightLimit
};

class ShardPass {
 public:
  static constexpr std::size_t kBlock = 4096;  ///< elements; kBlock of a store with pieces

  /// Tensors of `no_decay` do not decay, whatever the plan says; those of `frozen` do not change. Both are names.
  explicit ShardPass(const Plan& plan, std::span<const std::string> no_decay = {},
                     std::span<const std::string> frozen = {});

  /// Updates shard `shard` (shards.hpp) of the flat vectors and leaves zeros in `sums`, which are its own; none: all
  /// are zero. `mean` is what a sum is multiplied with for its mean. Subnormals must flush to zero.
  ShardDone run(std::size_t shard, const OptimizerStep& step, double mean, ParameterStore& store,
                std::span<std::int64_t> sums) const;

 private:
  struct Tensor {
    std::size_t end;  // in the flat vector, where the next one begins
    bool decay, frozen;
  };
  std::vector<Tensor> tensors_;
};

}  // namespace weft
