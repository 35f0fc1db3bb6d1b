/// A network's file as it stands: before there is a number of layers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sw/network/network.hpp"

namespace weft {

struct Blueprint {
  struct Tensor {
    NetworkTensor tensor;
    bool block = false;  ///< one for each layer
    std::string tied;    ///< may be this one instead
    int line = 0;
  };
  struct Operation {
    NetworkOperation::Kind kind;
    std::string name;
    bool block = false;
    std::vector<std::string> in = {}, out = {};
    std::string add = {}, tokens = {}, positions = {};
    int line = 0;
  };
  std::string file, name;
  std::vector<Tensor> tensors;
  std::vector<Operation> operations;
  std::vector<std::string> keep;
  int keep_line = 0;
};

/// Throws Refusal of model.network with file and line.
Blueprint read_blueprint(std::string_view text, const std::string& file);

/// Throws Refusal of model.network: a name that is not there, a shape that does not fit its operation.
LayerGraph instantiate(const Blueprint& blueprint, const NetworkSizes& sizes);

}  // namespace weft
