/// Where parameters and optimizer state live: masters and Adam's two moments, fp32, flat and row major.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "host/memoryx/pool.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

/// A tier of memory. All three vectors have plan.parameters elements and stay where they are for the store's life; a
/// tier that is larger than DRAM maps its file there.
class ParameterStore {
 public:
  virtual ~ParameterStore() = default;
  virtual std::span<float> weights() = 0;
  virtual std::span<float> first_moments() = 0;
  virtual std::span<float> second_moments() = 0;
};

/// The DRAM tier, all zeros.
std::unique_ptr<ParameterStore> make_dram_store(std::uint64_t parameters);

/// One tensor's initial weights, `weights` having tensor.size elements, by its init_std or init_value. They depend on
/// the seed, its name and the place in it: not on the other tensors, the machine or the threads.
void initialise_tensor(const TensorInfo& tensor, std::uint64_t seed, Pool& pool, std::span<float> weights);

/// Every tensor's weights; moments to zero.
void initialise(std::span<const TensorInfo> tensors, std::uint64_t seed, Pool& pool, ParameterStore& store);

}  // namespace weft
