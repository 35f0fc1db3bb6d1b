/// Samples of tokens: a pure function of the tokens, the configuration, the step and the micro-batch.
#pragma once

#include <cstdint>
#include <vector>

#include "host/appliance/data/tokens.hpp"

namespace weft {

/// One micro-batch: [sequences][max_sequence_length] token ids; `labels` are `inputs` one position later.
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
  /// Throws Refusal if the tokens do not make one sample.
  TrainingData(Tokens tokens, const SampleShape& shape);

  Batch micro_batch(std::uint64_t step, int m) const;
  int micro_batches() const { return shape_.batch / shape_.micro_batch; }
  std::uint64_t samples() const { return samples_; }
  std::uint64_t tokens() const { return tokens_.size(); }
  std::uint32_t checksum() const { return checksum_; }  ///< of the tokens
  /// The sample at `position` of the endless sequence, 0..samples()-1.
  std::uint64_t sample_at(std::uint64_t position) const;

 private:
  Tokens tokens_;
  SampleShape shape_;
  std::uint64_t samples_;
  std::uint32_t checksum_;
};

/// The first `limit` samples, or all if there are fewer, each once and in order. The last micro-batch takes what is
/// left.
class EvalData {
 public:
  /// Throws Refusal as TrainingData.
  EvalData(Tokens tokens, int seq, int micro_batch, std::uint64_t limit);

  Batch micro_batch(int m) const;
  int micro_batches() const;
  std::uint64_t samples() const { return samples_; }
  std::uint64_t tokens() const { return tokens_.size(); }

 private:
  Tokens tokens_;
  int seq_, micro_batch_;
  std::uint64_t samples_;
};

}  // namespace weft
