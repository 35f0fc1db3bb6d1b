/// Storage of parameters and optimizer state: master weights and up to two moments, fp32, flat and row major.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "host/memoryx/pool.hpp"
#include "host/memoryx/shards.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::memoryx {

class Pages;

/// A tier of memory. Each vector has plan.parameters elements and a fixed address during the store's life; moments that
/// the optimizer does not keep (state_vectors in optimizer.hpp) are empty.
class ParameterStore {
 public:
  virtual ~ParameterStore() = default;
  virtual std::span<float> weights() = 0;
  virtual std::span<float> first_moments() = 0;
  virtual std::span<float> second_moments() = 0;
  /// The weights, and the moments that exist.
  std::vector<std::span<float>> vectors();

  /// The pages of a tier that is larger than DRAM: parts of the vectors must be pinned while they are read or written
  /// (pinned_pages.hpp). Null: everything is resident.
  virtual Pages* pages() { return nullptr; }
  /// Room for the gradient sums, plan.parameters zeros, if the store has pages; otherwise empty.
  virtual std::span<std::int64_t> sums() { return {}; }

  static constexpr std::size_t kStreamed = 8;                  ///< maximum number of pages that a weight stream pins
  static constexpr std::size_t kBlock = std::size_t{1} << 10;  ///< elements; a thread that updates the state pins one
                                                               ///< block of each vector
};

/// The DRAM tier, all zeros, with `moments` vectors of moments.
std::unique_ptr<ParameterStore> make_dram_store(std::uint64_t parameters, int moments = 2);

/// As above, but only touched pages take memory: for an instance that owns a part of the vectors. Throws
/// std::bad_alloc.
std::unique_ptr<ParameterStore> make_part_store(std::uint64_t parameters, int moments = 2);

/// Initialises one tensor from its init_std or init_value; `weights` has tensor.size elements. The values depend on the
/// seed, the tensor's name and the position in it, but not on other tensors, the machine or the threads.
void initialise_tensor(const compiler::TensorInfo& tensor, std::uint64_t seed, Pool& pool, std::span<float> weights);

/// Initialises every tensor; moments become zero. Limited to the shards `own`, as in prune().
void initialise(std::span<const compiler::TensorInfo> tensors, std::uint64_t seed, Pool& pool, ParameterStore& store,
                const ShardRange& own = {});

/// Sets the elements of one of the store's vectors that the mask prunes to zero.
void prune(const std::vector<compiler::TensorInfo>& tensors, const compiler::Mask& mask, ParameterStore& store,
           std::span<float> vector, const ShardRange& own = {});

/// Calls `work` for blocks of a part of one of the store's vectors, in order, each pinned meanwhile; for the whole part
/// at once if the store has no pages. `change`: `work` writes to the blocks.
void in_blocks(ParameterStore& store, std::span<float> part, bool change,
               const std::function<void(std::span<float> block)>& work);

}  // namespace weft::memoryx
