#include "host/memoryx/state_hash.hpp"

#include <bit>
#include <cstring>

#include "sw/base/invariant.hpp"

namespace weft::memoryx {
namespace {

constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15U;

// The round of xxHash64 (Collet): a bijection of h for each word and of the word for each h, so one changed word always
// changes the lane; a changed bit spreads both before and after the rotation, so that no later word undoes it.
std::uint64_t absorb(std::uint64_t h, std::uint64_t word) {
  return std::rotl(h + word * 0xC2B2AE3D27D4EB4FU, 31) * kOdd;
}

std::uint64_t finish(std::uint64_t h) {
  h = (h ^ (h >> 32)) * 0xD6E8FEB86659FD93U;
  h = (h ^ (h >> 32)) * 0xD6E8FEB86659FD93U;
  return h ^ (h >> 32);
}

/// Hash of a vector of `size` elements; `hash_of(k)` is the hash of its shard k.
template <class HashOf>
std::uint64_t of_shards(std::uint64_t size, std::uint64_t seed, const HashOf& hash_of) {
  std::uint64_t h = finish(seed + size);
  for (std::size_t k = 0; k < shard_count(size); ++k) h = absorb(h, hash_of(k));
  return finish(h);
}

std::uint64_t of_vectors(std::uint64_t weights, std::uint64_t first, std::uint64_t second) {
  return finish(absorb(absorb(weights, first), second));
}

}  // namespace

ShardHash::ShardHash(std::uint64_t seed) : lanes_{} {
  for (std::size_t i = 0; i < kLanes; ++i) lanes_[i] = finish(seed + kOdd * (i + 1));
}

void ShardHash::add(std::span<const float> values) {
  static_assert(std::endian::native == std::endian::little, "pairs of fp32 are read as one word");
  invariant(count_ % kBlock == 0, "only the last part of a hashed shard is not a multiple of a block");
  std::array<std::uint64_t, kLanes> lane = lanes_, block{};
  std::size_t at = 0;
  for (; at + kBlock <= values.size(); at += kBlock) {
    std::memcpy(block.data(), values.data() + at, sizeof block);
    for (std::size_t i = 0; i < kLanes; ++i) lane[i] = absorb(lane[i], block[i]);
  }
  lanes_ = lane;
  count_ += values.size();
  for (std::size_t i = 0; at + i < values.size(); ++i) tail_[i] = values[at + i];
}

std::uint64_t ShardHash::value() const {
  std::uint64_t h = finish(count_);
  for (std::size_t i = 0; i < count_ % kBlock; ++i) h = absorb(h, std::bit_cast<std::uint32_t>(tail_[i]));
  for (const std::uint64_t lane : lanes_) h = absorb(h, finish(lane));
  return finish(h);
}

std::uint64_t hash_floats(std::span<const float> values, Pool& pool, std::uint64_t seed) {
  std::vector<std::uint64_t> shards(shard_count(values.size()));
  for_each_shard(values.size(), pool, [&](std::size_t begin, std::size_t end) {
    ShardHash hash(seed);
    hash.add(values.subspan(begin, end - begin));
    shards[begin / kShard] = hash.value();
  });
  return of_shards(values.size(), seed, [&](std::size_t k) { return shards[k]; });
}

std::uint64_t state_hash(std::span<const StateShard> shards, std::uint64_t parameters, int moments) {
  invariant(shards.size() == shard_count(parameters), "a state is hashed whole");
  const auto of = [&](std::uint64_t seed, std::uint64_t StateShard::*hash) {
    return of_shards(parameters, seed, [&](std::size_t k) { return shards[k].*hash; });
  };
  return of_vectors(of(StateShard::kWeights, &StateShard::weights),
                    moments > 0 ? of(StateShard::kFirst, &StateShard::first) : 0,
                    moments > 1 ? of(StateShard::kSecond, &StateShard::second) : 0);
}

std::vector<StateShard> hash_shards(ParameterStore& store, Pool& pool, const ShardRange& own) {
  const std::size_t size = store.weights().size(), first = own.begin(size), count = own.end(size) - first;
  std::vector<StateShard> shards(shard_count(count));
  const auto hash = [&](std::span<float> vector, std::uint64_t seed, std::uint64_t StateShard::*to) {
    if (vector.empty()) return;
    for_each_shard(count, pool, [&](std::size_t begin, std::size_t end) {
      ShardHash hash(seed);
      in_blocks(store, vector.subspan(first + begin, end - begin), false,
                [&](std::span<float> block) { hash.add(block); });
      shards[begin / kShard].*to = hash.value();
    });
  };
  hash(store.weights(), StateShard::kWeights, &StateShard::weights);
  hash(store.first_moments(), StateShard::kFirst, &StateShard::first);
  hash(store.second_moments(), StateShard::kSecond, &StateShard::second);
  return shards;
}

std::uint64_t state_hash(ParameterStore& store, Pool& pool) {
  return state_hash(hash_shards(store, pool), store.weights().size(), static_cast<int>(store.vectors().size()) - 1);
}

}  // namespace weft::memoryx
