/// Whether a plan that comes from a file can be run: its numbers are anybody's.
#pragma once

#include <memory>
#include <vector>

#include "sw/compiler/plan.hpp"

namespace weft {

/// Its tensors follow each other, as the flat vector has them; before anything is made of their sizes.
bool plausible(const std::vector<TensorInfo>& tensors, std::uint64_t parameters);

/// What whoever runs a plan relies on: nothing reads beyond the parameters, all tokens have a place, what is said to
/// come back does. Throws std::invalid_argument of a sweep that is none.
bool plausible(const Plan& plan, const std::vector<std::shared_ptr<const Space>>& placements);

}  // namespace weft
