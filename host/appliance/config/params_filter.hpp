/// What `sparsity.params_filter` chooses.
#pragma once

#include <vector>

#include "host/appliance/config/config.hpp"

namespace weft {

/// The tensors of the model that get a mask, in their order; none if sparsity.sparsity is 0. A pattern is a name or a
/// glob over the whole name (fnmatch), and chooses among the tensors of two dimensions. Throws Refusal if a pattern
/// chooses nothing.
std::vector<TensorInfo> sparse_tensors(const Config& config);

}  // namespace weft
