/// Reads weights written by another program.
#pragma once

#include <span>
#include <string>

#include "host/checkpoint/safetensors.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::checkpoint {

/// The tensors of `infos`, in their order, from a file that contains only weights of GPT-2, as described at
/// load_checkpoint. Throws as load_checkpoint.
std::vector<TensorView> take_foreign(const std::string& file, const ByteSource& source, std::vector<TensorView> tensors,
                                     std::span<const compiler::TensorInfo> infos);

}  // namespace weft::checkpoint
