#include "sw/compiler/tensors.hpp"

#include <cmath>
#include <stdexcept>

namespace weft {
namespace {

class Builder {
 public:
  void weight(std::string name, int rows, int cols, float init_std) {
    add({.name = std::move(name), .dims = {rows, cols}, .decay = true, .init_std = init_std});
  }
  void vector(std::string name, int size, float value) {
    add({.name = std::move(name), .dims = {size}, .init_value = value});
  }
  void layer_norm(const std::string& name, int size) {
    vector(name + ".weight", size, 1);
    vector(name + ".bias", size, 0);
  }
  void linear(const std::string& name, int in, int out, float init_std) {
    weight(name + ".weight", in, out, init_std);
    vector(name + ".bias", out, 0);
  }
  std::vector<TensorInfo> take() { return std::move(tensors_); }

 private:
  void add(TensorInfo tensor) {
    tensor.offset = offset_;
    tensor.size = 1;
    for (int dim : tensor.dims) tensor.size *= static_cast<std::uint64_t>(dim);
    offset_ += tensor.size;
    tensors_.push_back(std::move(tensor));
  }

  std::vector<TensorInfo> tensors_;
  std::uint64_t offset_ = 0;
};

}  // namespace

std::vector<TensorInfo> gpt2_tensors(const ModelShape& model) {
  constexpr float kStd = 0.02F;
  // Radford et al. 2019: projections into the residual stream shrink with the number of residual additions.
  const float residual_std = kStd / std::sqrt(2.0F * static_cast<float>(model.layers));

  Builder b;
  b.weight("wte.weight", model.vocab, model.hidden, kStd);
  b.weight("wpe.weight", model.seq, model.hidden, kStd);
  for (int n = 0; n < model.layers; ++n) {
    const std::string h = "h." + std::to_string(n) + ".";
    b.layer_norm(h + "ln_1", model.hidden);
    b.linear(h + "attn.c_attn", model.hidden, 3 * model.hidden, kStd);
    b.linear(h + "attn.c_proj", model.hidden, model.hidden, residual_std);
    b.layer_norm(h + "ln_2", model.hidden);
    b.linear(h + "mlp.c_fc", model.hidden, model.filter, kStd);
    b.linear(h + "mlp.c_proj", model.filter, model.hidden, residual_std);
  }
  b.layer_norm("ln_f", model.hidden);
  if (!model.tied) b.weight("lm_head.weight", model.vocab, model.hidden, kStd);
  return b.take();
}

std::uint64_t parameter_count(const std::vector<TensorInfo>& tensors) {
  return tensors.empty() ? 0 : tensors.back().offset + tensors.back().size;
}

const TensorInfo& find_tensor(const std::vector<TensorInfo>& tensors, std::string_view name) {
  for (const TensorInfo& tensor : tensors) {
    if (tensor.name == name) return tensor;
  }
  throw std::out_of_range("no tensor is called " + std::string(name));
}

}  // namespace weft
