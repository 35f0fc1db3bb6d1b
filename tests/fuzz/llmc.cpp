/// llm.c checkpoints.
#include "host/formats/llmc.hpp"

#include <cstring>

#include "host/formats/open_weights.hpp"
#include "sw/compiler/model/tensors.hpp"
#include "tests/fuzz/folder.hpp"

namespace weft::fuzz {
namespace {

ModelShape tiny() { return {.vocab = 3, .hidden = 2, .layers = 1, .heads = 1, .filter = 8, .seq = 2}; }

std::string file(Dtype dtype, int padded_vocab) {
  const LlmcLayout layout = llmc_layout(tiny(), model_tensors(tiny()), padded_vocab);
  const std::vector<std::int32_t> header = llmc_header(tiny(), dtype, padded_vocab);
  std::string bytes(reinterpret_cast<const char*>(header.data()), kLlmcHeader);
  for (std::uint64_t n = 0; n < layout.elements; ++n) {
    const float value = 0.25F * static_cast<float>(n);
    char four[4];
    std::memcpy(four, &value, 4);
    bytes.append(dtype == Dtype::BF16 ? four + 2 : four, dtype_bytes(dtype));
  }
  return bytes;
}

}  // namespace

std::vector<std::string> seeds() { return {file(Dtype::F32, 3), file(Dtype::F32, 8), file(Dtype::BF16, 4)}; }

void read(std::span<const std::uint8_t> bytes) {
  static const Folder folder("weft_llmc");
  const std::string file = folder.write("model.bin", text_of(bytes));
  const std::vector<TensorInfo> tensors = model_tensors(tiny());
  loads_or_refuses(file, [&] { model_of_weights(file); });
  loads_or_refuses(file, [&] {
    const auto weights = open_weights(file, tiny(), tensors);
    promise(weights->size() == parameter_count(tensors), "weights are the model's");
    std::vector<float> all(weights->size());
    weights->read(CheckpointReader::kWeights, 0, all);
  });
}

}  // namespace weft::fuzz
