/// Validation of a plan from a file, whose numbers are untrusted.
#pragma once

#include <memory>
#include <vector>

#include "sw/compiler/plan/plan.hpp"

namespace weft::compiler {

/// True if tensors follow each other, as in the flat vector. To be checked before their sizes are used.
bool plausible(const std::vector<TensorInfo>& tensors, std::uint64_t parameters);

/// True if a plan has the properties that its users rely on: nothing reads beyond the parameters, all tokens have a
/// place, and ops return the announced words. Throws std::invalid_argument for an invalid descriptor.
bool plausible(const Plan& plan, const std::vector<std::shared_ptr<const Space>>& placements);

}  // namespace weft::compiler
