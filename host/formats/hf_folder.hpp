/// Reads a folder written by `save_pretrained`: config.json, and model.safetensors or its shards with their index.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "host/checkpoint/reader.hpp"

namespace weft::formats {

/// True if the path is a folder that has a config.json.
bool is_hf_folder(const std::string& folder);

/// The model of folder/config.json. Throws Refusal as read_hf_config.
compiler::ModelShape hf_model(const std::string& folder);

/// Opens the weights. Throws Refusal if they are incomplete or do not fit `model`, whose tensors are `tensors`, and
/// DamagedFile for a damaged file.
std::shared_ptr<const checkpoint::CheckpointReader> open_hf_folder(const std::string& folder,
                                                                   const compiler::ModelShape& model,
                                                                   std::span<const compiler::TensorInfo> tensors);

}  // namespace weft::formats
