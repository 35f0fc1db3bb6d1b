/// Opens weights in any supported format.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "host/checkpoint/reader.hpp"

namespace weft::formats {

/// Opens a checkpoint of Weft, another program's safetensors file, a folder of Hugging Face, or a checkpoint of llm.c.
/// Throws as load_checkpoint, open_hf_folder and open_llmc.
std::shared_ptr<const checkpoint::CheckpointReader> open_weights(const std::string& path,
                                                                 const compiler::ModelShape& model,
                                                                 std::span<const compiler::TensorInfo> tensors);

/// The model of a folder of Hugging Face or a checkpoint of llm.c. Throws Refusal for anything else.
compiler::ModelShape model_of_weights(const std::string& path);

}  // namespace weft::formats
