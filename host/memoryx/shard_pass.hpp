/// The optimizer's single pass over a shard: gradient norm, update and state hash, block by block while a block is in
/// the cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "host/memoryx/optimizer.hpp"
#include "host/memoryx/state_hash.hpp"
#include "host/memoryx/store.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::memoryx {

/// The results of a step for one shard. Those of all shards, in order, describe the whole state.
struct ShardDone {
  double square = 0;   ///< sum of the squares of its gradients (means over tokens, before clipping)
  StateShard hash;     ///< after the update
  bool within = true;  ///< all weights are below kWeightLimit
};

class ShardPass {
 public:
  static constexpr std::size_t kBlock = 4096;  ///< elements; with pages, the store's kBlock is used

  /// Tensors of `no_decay` do not decay and those of `decay` do, regardless of the plan; those of `frozen` do not
  /// change. All are names, and no tensor is in both of the first two.
  explicit ShardPass(const compiler::Plan& plan, std::span<const std::string> no_decay = {},
                     std::span<const std::string> frozen = {}, std::span<const std::string> decay = {});

  /// Updates shard `shard` (shards.hpp) of the flat vectors and leaves zeros in `sums`, the sums of that shard; empty:
  /// all are zero. `mean` is the factor from a sum to its mean. Subnormals must flush to zero.
  ShardDone run(std::size_t shard, const OptimizerStep& step, double mean, ParameterStore& store,
                std::span<std::int64_t> sums) const;

 private:
  struct Tensor {
    std::size_t end;  // offset in the flat vector at which the next tensor begins
    bool decay, frozen;
  };
  std::vector<Tensor> tensors_;
};

}  // namespace weft::memoryx
