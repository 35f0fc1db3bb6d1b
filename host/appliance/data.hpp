/// Training samples: a pure function of the corpus, the configuration, the step and the micro-batch.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/appliance/config.hpp"

namespace weft {

/// One micro-batch: [micro_batch_size][max_sequence_length] token ids; `labels` are `inputs` one position later.
struct Batch {
  std::vector<std::uint16_t> inputs, labels;
};

/// How samples are taken from the tokens.
struct SampleShape {
  int seq = 1;          ///< tokens of a sample
  int batch = 1;        ///< samples of a step
  int micro_batch = 1;  ///< samples of a micro-batch; divides batch
  bool shuffle = false;
  std::uint64_t seed = 0;
};

/// Sample k has the inputs tokens[k*seq .. k*seq+seq-1]. There are (tokens-1)/seq; an epoch takes each once, in order
/// or, with `shuffle`, in an order of its own that depends on seed and epoch alone. Step s takes the batch samples from
/// s*batch of the endless sequence of epochs; its micro-batch m those from m*micro_batch. Thread-safe: has no state.
class TrainingData {
 public:
  /// Throws std::invalid_argument if the tokens do not make one sample.
  TrainingData(std::vector<std::uint16_t> tokens, const SampleShape& shape);

  Batch micro_batch(std::uint64_t step, int m) const;
  int micro_batches() const { return shape_.batch / shape_.micro_batch; }
  std::uint64_t samples() const { return samples_; }
  /// The sample at `position` of the endless sequence, 0..samples()-1.
  std::uint64_t sample_at(std::uint64_t position) const;

 private:
  std::vector<std::uint16_t> tokens_;
  SampleShape shape_;
  std::uint64_t samples_;
};

/// Reads the corpus, makes the vocabulary and checks both against `config`. Throws ConfigError.
TrainingData load_training_data(const Config& config);

/// What eval_input names, in the training corpus's tokens and in order; step 0 is all of it. Throws ConfigError.
TrainingData load_eval_data(const Config& config);

/// The bytes of a file, or of a folder's *.txt in order of name. Throws std::runtime_error.
std::string read_corpus(const std::string& path);

}  // namespace weft
