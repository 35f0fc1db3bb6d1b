/// The smallest training run in tests, with milliseconds per step: its text and its model.
#pragma once

#include <string>

namespace weft::test {

/// 2000 characters with few distinct values.
inline std::string small_corpus() {
  std::string text;
  for (int i = 0; i < 2000; ++i) text += static_cast<char>('a' + i * i % 13);
  return text;
}

/// The required parameters: a GPT of 1 layer, with the corpus in the folder of the parameter file.
inline constexpr const char* kSmallParams = R"(train_input:
  data_dir: corpus.txt
  batch_size: 4
  micro_batch_size: 2
model:
  hidden_size: 8
  num_hidden_layers: 1
  num_heads: 2
  filter_size: 16
  max_sequence_length: 8
  vocab_size: 14
)";

}  // namespace weft::test
