#include "tests/fault_injection/shape.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "tests/checkpoint/files.hpp"
#include "tests/random.hpp"

namespace weft::fault_injection {
namespace {

constexpr int kShardTokens = 12000;  // several pages per file

std::string shard(int seed) {
  std::vector<std::int32_t> header(256);
  header[0] = 20240520;
  header[1] = 1;
  header[2] = kShardTokens;
  std::string bytes(reinterpret_cast<const char*>(header.data()), 4 * header.size());
  test::Rng rng(static_cast<std::uint64_t>(seed));
  for (int i = 0; i < kShardTokens; ++i) {
    bytes += static_cast<char>(rng.below(14));
    bytes += '\0';
  }
  return bytes;
}

/// A text of 13 letters and line ends.
std::string text() {
  std::string result;
  for (int i = 0; i < 6000; ++i) result += i % 31 == 30 ? '\n' : static_cast<char>('a' + i * i % 13);
  return result;
}

}  // namespace

std::vector<std::string> write_inputs(const std::string& folder, const Shape& shape) {
  const bool shards = shape.input == Input::Shards;
  checkpoint::write_text(
      folder + "/params.yaml",
      fmt::format(R"(train_input: {{data_dir: {0}, tokenizer: {1}, batch_size: 12, micro_batch_size: 2}}
eval_input: {{data_dir: {0}, batch_size: 6}}
model: {{hidden_size: {2}, num_hidden_layers: 1, num_heads: 2, filter_size: 16, max_sequence_length: 8,
  vocab_size: {3}}}
optimizer: {{learning_rate: 0.01, max_gradient_norm: 1}}
runconfig: {{eval_steps: 4}}
wafer: {{rows: 2, cols: 2}}
)",
                  shards ? "shards" : "corpus.txt", shape.input == Input::Bytes ? "byte" : "char", shape.hidden,
                  shape.input == Input::Bytes ? 256 : 14));
  if (!shards) {
    checkpoint::write_text(folder + "/corpus.txt", text());
    return {folder + "/corpus.txt"};
  }
  std::filesystem::create_directories(folder + "/shards");
  const std::vector<std::string> files = {folder + "/shards/one.bin", folder + "/shards/two.bin"};
  for (int i = 0; i < 2; ++i) checkpoint::write_text(files[static_cast<std::size_t>(i)], shard(i));
  return files;
}

std::vector<std::string> run_words(const Shape& shape, const std::string& model_dir, int steps) {
  std::vector<std::string> words = {"run",     "--params",    "params.yaml",        "--model_dir",
                                    model_dir, "--num_steps", std::to_string(steps)};
  if (shape.evaluates) words.insert(words.end(), {"--runconfig.eval_frequency", std::to_string(kEvalEvery)});
  return words;
}

}  // namespace weft::fault_injection
