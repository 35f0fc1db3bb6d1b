/// 64 bits that change if any bit of the parameters or of the optimizer's state does.
///
/// A vector's hash is put together of its shards' (shards.hpp), so whoever has a shard at hand can hash it then.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "host/memoryx/pool.hpp"
#include "host/memoryx/shards.hpp"
#include "host/memoryx/store.hpp"

namespace weft {

/// The hash of one shard of fp32, fed in order. Not for use against an adversary.
class ShardHash {
 public:
  static constexpr std::size_t kBlock = 16;  ///< elements; whatever is fed is a multiple of it, but for the last

  explicit ShardHash(std::uint64_t seed);
  void add(std::span<const float> values);
  std::uint64_t value() const;

 private:
  static constexpr std::size_t kLanes = kBlock / 2;  // independent ones keep the multiplier busy
  std::array<std::uint64_t, kLanes> lanes_;
  std::array<float, kBlock> tail_{};
  std::size_t count_ = 0;  // elements so far
};

/// Hashes of one shard of each vector of the state.
struct StateShard {
  static constexpr std::uint64_t kWeights = 1, kFirst = 2, kSecond = 3;  ///< seeds
  std::uint64_t weights = 0, first = 0, second = 0;
};

/// Hash of the bits of fp32 vectors, in order; the same for any number of threads.
std::uint64_t hash_floats(std::span<const float> values, Pool& pool, std::uint64_t seed = 0);

/// Weights, first moments, second moments: of vectors of `parameters` elements. `moments`: vectors of them that there
/// are; the hash of one that is not there is 0.
std::uint64_t state_hash(std::span<const StateShard> shards, std::uint64_t parameters, int moments = 2);
/// Hashes of the store's own shards of each vector, in a pass of their own.
std::vector<StateShard> hash_shards(ParameterStore& store, Pool& pool, const ShardRange& own = {});
/// Those of all shards put together.
std::uint64_t state_hash(ParameterStore& store, Pool& pool);

}  // namespace weft
