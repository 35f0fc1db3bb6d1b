/// The parameter tensors of a model, in the one order that the whole project uses.
#pragma once

#include <string_view>
#include <vector>

#include "sw/compiler/plan.hpp"

namespace weft {

NetworkSizes sizes_of(const ModelShape& model);

/// In the order of the network's file, offsets dense. Weight decay applies to tensors of two dimensions. Throws Refusal
/// of model.network.
std::vector<TensorInfo> model_tensors(const ModelShape& model);
std::vector<TensorInfo> model_tensors(const ModelShape& model, const LayerGraph& network);

/// Elements of the flat parameter vector.
std::uint64_t parameter_count(const std::vector<TensorInfo>& tensors);

/// The tensor named `name`. Throws std::out_of_range with the name.
const TensorInfo& find_tensor(const std::vector<TensorInfo>& tensors, std::string_view name);

}  // namespace weft
