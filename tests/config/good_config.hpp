/// A valid parameter file.
#pragma once

namespace weft::config {

inline const char* const kGood = R"(train_input:
  data_dir: text/corpus.txt
  batch_size: 12
  micro_batch_size: 4
model:
  hidden_size: 64
  num_hidden_layers: 2
  num_heads: 4
  max_sequence_length: 16
  vocab_size: 96
optimizer:
  betas: [0.9, 0.95]
  learning_rate:
    - scheduler: Linear
      initial_learning_rate: 1e-4
      end_learning_rate: 3e-3
      total_iters: 5
    - scheduler: Constant
      learning_rate: 3e-3
)";

}  // namespace weft::config
