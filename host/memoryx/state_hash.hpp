/// 64-bit hash that detects a change of any bit of the parameters or of the optimizer's state.
///
/// A vector's hash is computed from the hashes of its shards (shards.hpp), so each shard can be hashed while it is in
/// the cache.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "host/memoryx/pool.hpp"
#include "host/memoryx/shards.hpp"
#include "host/memoryx/store.hpp"

namespace weft::memoryx {

/// The hash of one shard of fp32 values, added in order. Not secure against an adversary.
class ShardHash {
 public:
  static constexpr std::size_t kBlock = 16;  ///< elements; the size of each add() but the last must be a multiple

  explicit ShardHash(std::uint64_t seed);
  void add(std::span<const float> values);
  std::uint64_t value() const;

 private:
  static constexpr std::size_t kLanes = kBlock / 2;  // independent lanes keep the multiplier busy
  std::array<std::uint64_t, kLanes> lanes_;
  std::array<float, kBlock> tail_{};
  std::size_t count_ = 0;  // elements so far
};

/// Hashes of one shard of each vector of the state.
struct StateShard {
  static constexpr std::uint64_t kWeights = 1, kFirst = 2, kSecond = 3;  ///< seeds
  std::uint64_t weights = 0, first = 0, second = 0;
};

/// Hash of the bits of fp32 values, in order; independent of the number of threads.
std::uint64_t hash_floats(std::span<const float> values, Pool& pool, std::uint64_t seed = 0);

/// Combines the hashes of weights, first moments and second moments, vectors of `parameters` elements. `moments`:
/// number of moment vectors that exist; the hash of a missing one is 0.
std::uint64_t state_hash(std::span<const StateShard> shards, std::uint64_t parameters, int moments = 2);
/// Hashes of the `own` shards of each vector, in a separate pass.
std::vector<StateShard> hash_shards(ParameterStore& store, Pool& pool, const ShardRange& own = {});
/// The combined hash of all shards.
std::uint64_t state_hash(ParameterStore& store, Pool& pool);

}  // namespace weft::memoryx
