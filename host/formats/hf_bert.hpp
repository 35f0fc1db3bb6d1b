/// Hugging Face's BertForMaskedLM and BertForPreTraining: their config.json, and the names of its tensors
/// (docs/howto/hugging_face.md).
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "host/checkpoint/safetensors.hpp"
#include "sw/compiler/model/model_shape.hpp"

namespace weft::formats {

/// Returns true if the model's network equals the built-in bert or bert_pretraining.
bool is_bert(const compiler::ModelShape& model);

/// As hf_config(), read_hf_config() and check_same_model(), for both.
std::string bert_config(const compiler::ModelShape& model, checkpoint::Dtype dtype, std::uint64_t step);
compiler::ModelShape read_bert_config(const nlohmann::ordered_json& config, const std::string& file);
void check_same_bert(const compiler::ModelShape& theirs, const compiler::ModelShape& ours, const std::string& file);

/// The name in the class of one of the tensors; empty for those of other networks.
std::string bert_name(std::string_view own);

/// Gives the tensors of a file the names of the model's network, and drops those that it does not need: for bert the
/// pooler and the head of sentence pairs; a buffer of positions, and copies of tied tensors. The names of TensorFlow's
/// checkpoints, LayerNorm.gamma and .beta, are known, too.
void take_bert_names(std::vector<checkpoint::TensorView>& tensors, const compiler::ModelShape& model);

}  // namespace weft::formats
