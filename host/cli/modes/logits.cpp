#include "host/cli/modes/logits.hpp"

#include "host/checkpoint/file.hpp"
#include "host/checkpoint/safetensors.hpp"

namespace weft {
namespace {

template <class T>
void write_values(AtomicFile& file, const std::vector<T>& values) {
  file.write({reinterpret_cast<const std::uint8_t*>(values.data()), values.size() * sizeof(T)});
}

}  // namespace

void write_logits(const std::string& path, const EvalData& data, const ModelShape& model, Generator& generator) {
  std::vector<std::int32_t> tokens, labels;
  for (int m = 0; m < data.micro_batches(); ++m) {
    const Batch batch = data.micro_batch(m);
    tokens.insert(tokens.end(), batch.inputs.begin(), batch.inputs.end());
    labels.insert(labels.end(), batch.labels.begin(), batch.labels.end());
  }
  const auto seq = static_cast<std::size_t>(model.seq), vocab = static_cast<std::size_t>(model.vocab);
  const std::size_t samples = tokens.size() / seq;
  AtomicFile file(path);
  const std::size_t bytes = sizeof(float) * tokens.size();
  file.write(
      safetensors_header({}, std::vector<TensorShape>{{"tokens", Dtype::I32, {samples, seq}, bytes},
                                                      {"labels", Dtype::I32, {samples, seq}, bytes},
                                                      {"logits", Dtype::F32, {samples, seq, vocab}, bytes * vocab}}));
  write_values(file, tokens);
  write_values(file, labels);
  std::vector<TokenId> text;
  for (std::size_t sample = 0; sample < samples; ++sample) {
    text.clear();
    for (std::size_t t = 0; t < seq; ++t) {
      text.push_back(static_cast<TokenId>(tokens[sample * seq + t]));
      write_values(file, generator.logits(text));
    }
  }
  file.commit();
}

}  // namespace weft
