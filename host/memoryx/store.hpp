/// Where parameters and optimizer state live: masters and up to two moments, fp32, flat and row major.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "host/memoryx/pool.hpp"
#include "host/memoryx/shards.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

class Pieces;

/// A tier of memory. All vectors have plan.parameters elements and stay where they are for the store's life; moments
/// that the optimizer does not keep (state_vectors in optimizer.hpp) have none.
class ParameterStore {
 public:
  virtual ~ParameterStore() = default;
  virtual std::span<float> weights() = 0;
  virtual std::span<float> first_moments() = 0;
  virtual std::span<float> second_moments() = 0;
  /// Weights, and the moments that there are.
  std::vector<std::span<float>> vectors();

  /// Of a tier that is larger than DRAM: what of the vectors is read or written has to be held meanwhile (held.hpp).
  /// Null: all of it is here always.
  virtual Pieces* pieces() { return nullptr; }
  /// Zeros, plan.parameters of them, where it has pieces: room for the gradient's sums.
  virtual std::span<std::int64_t> sums() { return {}; }

  static constexpr std::size_t kStreamed = 8;                  ///< pieces that a stream of weights holds at most
  static constexpr std::size_t kBlock = std::size_t{1} << 10;  ///< elements; who works on the state holds one of each
};

/// The DRAM tier, all zeros, with so many vectors of moments.
std::unique_ptr<ParameterStore> make_dram_store(std::uint64_t parameters, int moments = 2);

/// The same, of which only what is touched takes memory: for who has a part of the vectors. Throws std::bad_alloc.
std::unique_ptr<ParameterStore> make_part_store(std::uint64_t parameters, int moments = 2);

/// One tensor's initial weights, `weights` having tensor.size elements, by its init_std or init_value. They depend on
/// the seed, its name and the place in it: not on the other tensors, the machine or the threads.
void initialise_tensor(const TensorInfo& tensor, std::uint64_t seed, Pool& pool, std::span<float> weights);

/// Every tensor's weights; moments to zero. Of the store's own shards, as prune().
void initialise(std::span<const TensorInfo> tensors, std::uint64_t seed, Pool& pool, ParameterStore& store,
                const ShardRange& own = {});

/// What the mask leaves out of one of the store's vectors becomes zero.
void prune(const std::vector<TensorInfo>& tensors, const Mask& mask, ParameterStore& store, std::span<float> vector,
           const ShardRange& own = {});

/// Calls `work` for blocks of a part of one of the store's vectors, in order, each held meanwhile; all in one, if it
/// has no pieces. `change`: work writes them.
void in_blocks(ParameterStore& store, std::span<float> part, bool change,
               const std::function<void(std::span<float> block)>& work);

}  // namespace weft
