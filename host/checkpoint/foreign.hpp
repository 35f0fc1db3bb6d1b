/// Weights that another program wrote.
#pragma once

#include <span>
#include <string>

#include "host/checkpoint/safetensors.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

/// Fills `weights` from a file of GPT-2 weights alone, as load_checkpoint says. Throws as it does.
void load_foreign(const std::string& file, std::vector<TensorView> tensors, std::span<const TensorInfo> infos,
                  std::span<float> weights);

}  // namespace weft
