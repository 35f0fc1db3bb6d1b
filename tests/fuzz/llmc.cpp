/// llm.c checkpoints.
#include "host/formats/llmc.hpp"

#include <cstring>

#include "host/formats/open_weights.hpp"
#include "sw/compiler/model/tensors.hpp"
#include "tests/fuzz/folder.hpp"

namespace weft::fuzz::llmc_target {
namespace {

compiler::ModelShape tiny() { return {.vocab = 3, .hidden = 2, .layers = 1, .heads = 1, .filter = 8, .seq = 2}; }

std::string file(checkpoint::Dtype dtype, int padded_vocab) {
  const formats::LlmcLayout layout = formats::llmc_layout(tiny(), compiler::model_tensors(tiny()), padded_vocab);
  const std::vector<std::int32_t> header = formats::llmc_header(tiny(), dtype, padded_vocab);
  std::string bytes(reinterpret_cast<const char*>(header.data()), formats::kLlmcHeader);
  for (std::uint64_t n = 0; n < layout.elements; ++n) {
    const float value = 0.25F * static_cast<float>(n);
    char four[4];
    std::memcpy(four, &value, 4);
    bytes.append(dtype == checkpoint::Dtype::BF16 ? four + 2 : four, checkpoint::dtype_bytes(dtype));
  }
  return bytes;
}

}  // namespace

std::vector<std::string> seeds() {
  return {file(checkpoint::Dtype::F32, 3), file(checkpoint::Dtype::F32, 8), file(checkpoint::Dtype::BF16, 4)};
}

void read(std::span<const std::uint8_t> bytes) {
  static const Folder folder("weft_llmc");
  const std::string file = folder.write("model.bin", text_of(bytes));
  const std::vector<compiler::TensorInfo> tensors = compiler::model_tensors(tiny());
  loads_or_refuses(file, [&] { formats::model_of_weights(file); });
  loads_or_refuses(file, [&] {
    const auto weights = formats::open_weights(file, tiny(), tensors);
    promise(weights->size() == compiler::parameter_count(tensors), "weights are the model's");
    std::vector<float> all(weights->size());
    weights->read(checkpoint::CheckpointReader::kWeights, 0, all);
  });
}

const bool kAdded = add({"llmc", seeds, read});

}  // namespace weft::fuzz::llmc_target
