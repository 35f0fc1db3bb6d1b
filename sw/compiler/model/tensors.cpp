#include "sw/compiler/model/tensors.hpp"

#include <stdexcept>
#include <utility>

namespace weft::compiler {
namespace {

int size_of(const ModelShape& model, network::Role role) {
  switch (role) {
    case network::Role::Filter:
      return model.filter;
    case network::Role::Vocab:
      return model.vocab;
    case network::Role::Position:
      return model.seq;
    case network::Role::KvHead:
      return model.own_kv_heads() * model.head_size();
    case network::Role::Segment:
      return model.segments;
    case network::Role::Class:
      return model.classes;
    case network::Role::Hidden:
    case network::Role::Head:
      break;
  }
  return model.hidden;
}

}  // namespace

network::NetworkSizes sizes_of(const ModelShape& model) {
  return {model.layers,
          model.tied,
          model.recompute == "block" ? network::Recompute::Block : network::Recompute::None,
          model.residual_dropout,
          model.embedding_dropout,
          model.attention_dropout};
}

std::vector<TensorInfo> model_tensors(const ModelShape& model) {
  return model_tensors(model, network::find_network(model.network, sizes_of(model)));
}

std::vector<TensorInfo> model_tensors(const ModelShape& model, const network::LayerGraph& network) {
  std::vector<TensorInfo> tensors;
  std::uint64_t offset = 0;
  for (const network::NetworkTensor& from : network.tensors) {
    TensorInfo tensor{.name = from.name, .dims = {}, .offset = offset, .size = 1};
    for (const network::NetworkTensor::Axis& axis : from.shape) {
      tensor.dims.push_back(axis.times * size_of(model, axis.role));
      tensor.roles.push_back(axis.role);
      tensor.size *= static_cast<std::uint64_t>(tensor.dims.back());
    }
    tensor.decay = tensor.dims.size() == 2;
    tensor.init_std = static_cast<float>(from.normal);
    tensor.init_value = static_cast<float>(from.value);
    offset += tensor.size;
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

std::uint64_t parameter_count(const std::vector<TensorInfo>& tensors) {
  return tensors.empty() ? 0 : tensors.back().offset + tensors.back().size;
}

const TensorInfo& find_tensor(const std::vector<TensorInfo>& tensors, std::string_view name) {
  for (const TensorInfo& tensor : tensors) {
    if (tensor.name == name) return tensor;
  }
  throw std::out_of_range("there is no tensor " + std::string(name));
}

}  // namespace weft::compiler
