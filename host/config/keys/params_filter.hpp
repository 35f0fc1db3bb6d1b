/// Selects tensors by patterns. A pattern is a name or a glob over the whole name (fnmatch). A pattern that chooses
/// nothing is rejected.
#pragma once

#include <string>
#include <vector>

#include "host/config/config.hpp"

namespace weft::config {

/// Tensors of the model that get a mask, in model order: the two-dimensional ones that sparsity.params_filter chooses,
/// or none if sparsity.sparsity is 0. Throws Refusal.
std::vector<compiler::TensorInfo> sparse_tensors(const Config& config);

/// Names of the two-dimensional tensors that optimizer.no_decay_params chooses. Throws Refusal.
std::vector<std::string> no_decay_tensors(const Config& config);

/// Names of the one-dimensional tensors that optimizer.decay_params chooses. Throws Refusal.
std::vector<std::string> decay_tensors(const Config& config);

/// Names of the tensors that optimizer.frozen_params chooses. Throws Refusal.
std::vector<std::string> frozen_tensors(const Config& config);

}  // namespace weft::config
