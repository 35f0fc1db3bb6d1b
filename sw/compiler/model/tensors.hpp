/// The parameter tensors of a model, in the one order that the whole project uses.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sw/compiler/model/model_shape.hpp"
#include "sw/network/network.hpp"

namespace weft::compiler {

/// One parameter tensor. `offset`: its first element in the flat parameter vector, row major.
struct TensorInfo {
  std::string name;       ///< Hugging Face GPT-2 name, e.g. "h.0.attn.c_attn.weight"
  std::vector<int> dims;  ///< e.g. {in, out} = {32, 96}: GPT-2 stores weights as [in, out]
  std::uint64_t offset = 0;
  std::uint64_t size = 0;                 ///< elements
  bool decay = false;                     ///< weight decay applies (two dimensions)
  float init_std = 0;                     ///< normal(0, init_std), or
  float init_value = 0;                   ///< this constant if init_std is 0
  std::vector<network::Role> roles = {};  ///< the kind of features of each dimension
};

network::NetworkSizes sizes_of(const ModelShape& model);

/// In the order of the network's file, offsets dense. Weight decay applies to tensors of two dimensions. Throws Refusal
/// of model.network.
std::vector<TensorInfo> model_tensors(const ModelShape& model);
std::vector<TensorInfo> model_tensors(const ModelShape& model, const network::LayerGraph& network);

/// Elements of the flat parameter vector.
std::uint64_t parameter_count(const std::vector<TensorInfo>& tensors);

/// The tensor named `name`. Throws std::out_of_range with the name.
const TensorInfo& find_tensor(const std::vector<TensorInfo>& tensors, std::string_view name);

}  // namespace weft::compiler
