#include "host/memoryx/state_hash.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <vector>

#include "host/memoryx/shards.hpp"

namespace weft {
namespace {

constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15U;
constexpr std::size_t kLanes = 8;

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

// Eight independent lanes keep the multiplier busy.
std::uint64_t hash_shard(const float* values, std::size_t count, std::uint64_t seed) {
  static_assert(std::endian::native == std::endian::little, "pairs of fp32 are read as one word");
  std::array<std::uint64_t, kLanes> lane{};
  for (std::size_t i = 0; i < kLanes; ++i) lane[i] = finish(seed + kOdd * (i + 1));
  std::size_t at = 0;
  std::array<std::uint64_t, kLanes> block{};
  for (; at + 2 * kLanes <= count; at += 2 * kLanes) {
    std::memcpy(block.data(), values + at, sizeof block);
    for (std::size_t i = 0; i < kLanes; ++i) lane[i] = absorb(lane[i], block[i]);
  }
  std::uint64_t h = finish(count);
  for (; at < count; ++at) h = absorb(h, std::bit_cast<std::uint32_t>(values[at]));
  for (const std::uint64_t l : lane) h = absorb(h, finish(l));
  return finish(h);
}

}  // namespace

std::uint64_t hash_floats(std::span<const float> values, Pool& pool, std::uint64_t seed) {
  std::vector<std::uint64_t> shards(shard_count(values.size()));
  for_each_shard(values.size(), pool, [&](std::size_t begin, std::size_t end) {
    shards[begin / kShard] = hash_shard(values.data() + begin, end - begin, seed);
  });
  std::uint64_t h = finish(seed + values.size());
  for (const std::uint64_t s : shards) h = absorb(h, s);
  return finish(h);
}

std::uint64_t state_hash(ParameterStore& store, Pool& pool) {
  std::uint64_t h = hash_floats(store.weights(), pool, 1);
  h = absorb(h, hash_floats(store.first_moments(), pool, 2));
  return finish(absorb(h, hash_floats(store.second_moments(), pool, 3)));
}

}  // namespace weft
