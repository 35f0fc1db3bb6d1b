/// A folder as `save_pretrained` writes it: config.json, and model.safetensors or its shards with their index.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "host/checkpoint/reader.hpp"

namespace weft {

/// Whether it is a folder that has a config.json.
bool is_hf_folder(const std::string& folder);

/// The model of folder/config.json. Throws Refusal as read_hf_config.
ModelShape hf_model(const std::string& folder);

/// The weights. Throws Refusal if they are not of `model`, whose tensors `tensors` are, or not all there, and
/// DamagedFile for a file that is not whole.
std::shared_ptr<const CheckpointReader> open_hf_folder(const std::string& folder, const ModelShape& model,
                                                       std::span<const TensorInfo> tensors);

}  // namespace weft
