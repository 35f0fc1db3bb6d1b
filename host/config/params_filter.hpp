/// What patterns of tensors' names choose. A pattern is a name or a glob over the whole name (fnmatch); one that
/// chooses nothing is refused.
#pragma once

#include <string>
#include <vector>

#include "host/config/config.hpp"

namespace weft {

/// The tensors of the model that get a mask, in their order; none if sparsity.sparsity is 0: of two dimensions, by
/// sparsity.params_filter. Throws Refusal.
std::vector<TensorInfo> sparse_tensors(const Config& config);

/// Names of the tensors of two dimensions that optimizer.no_decay_params chooses. Throws Refusal.
std::vector<std::string> no_decay_tensors(const Config& config);

/// Names of the tensors that optimizer.frozen_params chooses. Throws Refusal.
std::vector<std::string> frozen_tensors(const Config& config);

}  // namespace weft
