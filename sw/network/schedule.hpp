/// The schedule of a micro-batch: forward, then backward, which is derived from forward.
#pragma once

#include <cstddef>
#include <vector>

#include "sw/network/arrays.hpp"
#include "sw/network/network.hpp"
#include "sw/network/step.hpp"

namespace weft::network {

struct Schedule {
  std::vector<Step> steps;
  std::size_t forward = 0;  ///< the steps up to the last loss
};

/// Throws Refusal of model.network if backward cannot be derived: a value is overwritten before it is needed, or two
/// operations that cannot add make the same gradient.
Schedule training_schedule(const LayerGraph& network);
/// Forward up to the logits, which are returned.
Schedule generation_schedule(const LayerGraph& network);

}  // namespace weft::network
