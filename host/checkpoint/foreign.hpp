/// Weights that another program wrote.
#pragma once

#include <span>
#include <string>

#include "host/checkpoint/safetensors.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

/// The tensors of `infos`, in their order, of a file of GPT-2 weights alone, as load_checkpoint says. Throws as it
/// does.
std::vector<TensorView> take_foreign(const std::string& file, const ByteSource& source, std::vector<TensorView> tensors,
                                     std::span<const TensorInfo> infos);

}  // namespace weft
