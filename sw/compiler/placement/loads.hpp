/// Load of each feature: the number of non-zero weights that touch it.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/compiler/model/model_shape.hpp"
#include "sw/compiler/model/tensors.hpp"

namespace weft::compiler {

/// Kept weights of each feature, over all matrices that have it as an input or an output: a feature that is an output
/// in the forward pass is an input in the delta pass. Empty: equal loads.
struct Loads {
  std::vector<std::uint64_t> hidden, filter, vocab, head, position, segment, classes;
};

/// `kept`: a bit for each parameter, or empty.
Loads count_loads(const ModelShape& model, const std::vector<TensorInfo>& tensors, const std::vector<bool>& kept);

/// 0..size-1 by descending load; features of equal load, or all if there are no loads, in ascending order.
std::vector<int> heaviest_first(int size, const std::vector<std::uint64_t>& loads);

}  // namespace weft::compiler
