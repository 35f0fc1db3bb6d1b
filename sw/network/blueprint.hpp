/// A network's file as written, before the number of layers is known.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sw/network/network.hpp"

namespace weft::network {

struct Blueprint {
  struct Tensor {
    NetworkTensor tensor;
    bool block = false;  ///< one for each layer
    std::string tied;    ///< name of the tensor to which it may be tied
    int line = 0;
  };
  struct Operation {
    NetworkOperation::Kind kind;
    std::string name;
    bool block = false;
    std::vector<std::string> in = {}, out = {};
    std::string add = {}, tokens = {}, positions = {}, segments = {}, form = {};
    std::shared_ptr<const Function> function = nullptr;  ///< Elementwise
    double by = 1;
    double p = 0;        ///< Dropout, Attention
    bool causal = true;  ///< Attention
    int line = 0;
  };
  std::string file, name;
  std::string kernels;  ///< LayerGraph::kernels
  std::vector<Tensor> tensors;
  std::vector<Operation> operations;
  std::vector<std::string> keep;
  int keep_line = 0;
};

/// Parses a network's file. Throws Refusal of model.network with file and line.
Blueprint read_blueprint(std::string_view text, const std::string& file);

/// Inserts the dropouts that `sizes` asks for: one between each linear and its addition to the residual stream, and one
/// behind embed, or behind the norm that alone reads its output. Sets the rate of attention's weights.
void insert_dropout(Blueprint& blueprint, const NetworkSizes& sizes);

/// Makes the layer graph. Throws Refusal of model.network for an unknown name, or a shape that does not fit its
/// operation.
LayerGraph instantiate(const Blueprint& blueprint, const NetworkSizes& sizes);

}  // namespace weft::network
