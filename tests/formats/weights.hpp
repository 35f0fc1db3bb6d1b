/// Models with random weights, and their files.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "host/checkpoint/checkpoint.hpp"
#include "host/checkpoint/convert.hpp"
#include "host/checkpoint/reader.hpp"
#include "sw/compiler/model/tensors.hpp"
#include "tests/random.hpp"
#include "tests/says.hpp"
#include "tests/temporary_folder.hpp"

namespace weft::formats {

inline compiler::ModelShape small_gpt2(bool tied = true) {
  return {.vocab = 11, .hidden = 6, .layers = 2, .heads = 2, .filter = 24, .seq = 5, .tied = tied};
}
inline compiler::ModelShape small_cerebras_gpt() {
  compiler::ModelShape model = small_gpt2();
  model.network = "cerebras_gpt";
  return model;
}
inline compiler::ModelShape small_gptj() {
  compiler::ModelShape model{.vocab = 11, .hidden = 8, .layers = 2, .heads = 2, .filter = 12, .seq = 5, .tied = true};
  model.network = "gptj";
  model.rotary_dim = 2;
  return model;
}

/// Pairs of heads share keys and values; the angles are scaled.
inline compiler::ModelShape small_llama() {
  compiler::ModelShape model{.vocab = 11, .hidden = 16, .layers = 2, .heads = 4, .filter = 12, .seq = 5, .tied = false};
  model.network = "llama", model.rotary_dim = 4, model.kv_heads = 2;
  model.rotary = {.layout = "halves", .theta = 500, .scaling = "llama3", .factor = 8, .original_length = 20};
  return model;
}

inline compiler::ModelShape small_bert(bool tied = true) {
  compiler::ModelShape model = small_gpt2(tied);
  model.network = "bert", model.segments = 2, model.padding_token = 0;
  return model;
}

inline compiler::ModelShape small_bert_pretraining() {
  compiler::ModelShape model = small_bert();
  model.network = "bert_pretraining", model.classes = 2;
  return model;
}

/// Random bit patterns of the type with values below 2^15, including subnormals and signed zeros.
inline std::vector<float> random_weights(std::uint64_t count, checkpoint::Dtype dtype) {
  test::Rng rng(test::test_seed());
  std::vector<float> values;
  while (values.size() < count) {
    const std::uint64_t bits = rng.next();
    float value = 0;
    checkpoint::to_float(dtype, {reinterpret_cast<const std::uint8_t*>(&bits), checkpoint::dtype_bytes(dtype)},
                         {&value, 1});
    if (std::fabs(value) < 0x1p15F) values.push_back(value);
  }
  return values;
}

/// A Weft checkpoint with these weights.
inline std::shared_ptr<const checkpoint::CheckpointReader> checkpoint_of(const test::TemporaryFolder& folder,
                                                                         const compiler::ModelShape& model,
                                                                         const std::vector<float>& weights) {
  const std::vector<compiler::TensorInfo> tensors = compiler::model_tensors(model);
  const std::vector<float> zeros(weights.size());
  const std::string file = folder / "checkpoint_1.safetensors";
  checkpoint::save_checkpoint(
      file, tensors,
      {.step = 1, .weights = weights, .first_moments = zeros, .second_moments = zeros, .mask = nullptr, .about = {}});
  return checkpoint::open_checkpoint(file, tensors);
}

/// The bits of all weights.
inline std::vector<std::uint32_t> bits_of(const checkpoint::CheckpointReader& reader) {
  std::vector<float> weights(reader.size());
  reader.read(checkpoint::CheckpointReader::kWeights, 0, weights);
  std::vector<std::uint32_t> bits;
  for (const float value : weights) bits.push_back(std::bit_cast<std::uint32_t>(value));
  return bits;
}

/// The message of the exception, or "accepted".
template <class Work>
std::string refusal_of(const Work& work) {
  try {
    work();
  } catch (const Refusal& e) {
    return e.what();
  }
  return "accepted";
}

}  // namespace weft::formats
