#include "host/cli/train/text_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "host/config/plural.hpp"
#include "host/tokenizer/tokenizer.hpp"
#include "sw/base/refusal.hpp"

namespace weft::cli {
namespace {

constexpr std::uint64_t kLeastBytes = 2000;
constexpr std::uint64_t kKilo = 1000, kMega = 1'000'000;
constexpr std::size_t kMostCharacters = 256;  // limit of tokenizer char; a text with more has BPE tokens
constexpr int kSmallestVocabulary = 512;      // minimum for BPE

/// Model for texts below a size. Larger texts have more to learn from; 1000 steps take minutes with the smallest
/// model, and hours with the largest one.
struct Size {
  std::uint64_t below;
  int vocab;  ///< BPE tokens; 0: characters
  int layers, hidden, heads, sequence;
  double rate;
};
constexpr Size kSizes[] = {
    {50 * kKilo, 0, 2, 32, 4, 32, 4e-3},        {kMega, 0, 2, 64, 4, 64, 3e-3},
    {4 * kMega, 512, 4, 64, 4, 64, 3e-3},       {20 * kMega, 1024, 4, 128, 4, 128, 2e-3},
    {UINT64_MAX, 4096, 4, 192, 6, 128, 1.5e-3},
};

/// Number of different characters; nullopt if the text is not UTF-8.
std::optional<std::size_t> count_characters(std::string_view text) {
  try {
    return tokenizer::characters_of(text).size();
  } catch (const Refusal&) {
    return std::nullopt;
  }
}

}  // namespace

TextSettings settings_for(std::string_view text, const std::string& file) {
  const auto bytes = static_cast<std::uint64_t>(text.size());
  if (text.empty()) throw Refusal(file, "is empty", "name a text");
  if (text.find('\0') != std::string_view::npos)
    throw Refusal(file, "is binary data, not a text", "name a text; token shards and HDF5 are trained on by weft run");
  if (bytes < kLeastBytes)
    throw Refusal(file, fmt::format("has {}, too few to train on", config::plural(bytes, "byte")),
                  fmt::format("name a text of at least {} bytes", kLeastBytes));
  const Size* size = kSizes;
  while (bytes >= size->below) ++size;
  TextSettings result;
  result.layers = size->layers, result.hidden = size->hidden, result.heads = size->heads;
  result.sequence = size->sequence, result.rate = size->rate;
  const auto characters = count_characters(text);
  if (!characters) {
    result.tokenizer = "byte", result.vocab = 256;
  } else if (size->vocab == 0 && *characters <= kMostCharacters) {
    result.tokenizer = "char", result.vocab = static_cast<int>(*characters);
  } else {
    result.tokenizer = "bpe", result.vocab = std::max(size->vocab, kSmallestVocabulary);
  }
  return result;
}

std::string parameters_for(const TextSettings& settings, int steps) {
  const int warm_up = std::max(1, steps / 20);
  return fmt::format(R"(train_input:
  tokenizer: {}
  batch_size: 16
  micro_batch_size: 4
model:
  vocab_size: {}
  max_sequence_length: {}
  hidden_size: {}
  num_hidden_layers: {}
  num_heads: {}
optimizer:
  betas: [0.9, 0.95]
  weight_decay: 0.1
  max_gradient_norm: 1.0
  learning_rate:
    - scheduler: Linear
      initial_learning_rate: 1.0e-4
      end_learning_rate: {}
      total_iters: {}
    - scheduler: CosineDecay
      initial_learning_rate: {}
      end_learning_rate: 1.0e-4
      total_iters: {}
runconfig:
  max_steps: {}
  log_steps: 10
)",
                     settings.tokenizer, settings.vocab, settings.sequence, settings.hidden, settings.layers,
                     settings.heads, settings.rate, warm_up, settings.rate, std::max(1, steps - warm_up), steps);
}

}  // namespace weft::cli
