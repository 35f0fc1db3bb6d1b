/// What a step takes: a pure function of the data sets, the configuration, the step and the micro-batch.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "host/data/mixture.hpp"
#include "host/data/samples.hpp"

namespace weft {

/// How samples are taken from the data sets.
struct SampleShape {
  int seq = 1;          ///< tokens of a sample
  int batch = 1;        ///< samples of a step
  int micro_batch = 1;  ///< samples of a micro-batch; divides batch
  bool shuffle = false;
  std::uint64_t seed = 0;
};

/// One of several data sets. Samples are dealt by `weight` (mixture.hpp).
struct DataSet {
  std::shared_ptr<const Samples> samples;
  double weight = 1;
};

/// An epoch of a data set takes each of its samples once, in order or, with `shuffle`, in an order of its own that
/// depends on seed, set and epoch alone. Step s takes the batch samples from position(s) of the endless sequence that
/// is dealt of them, s*batch unless set_position was called; its micro-batch m those from m*micro_batch. Thread-safe.
class TrainingData {
 public:
  /// Throws Refusal if the tokens do not make one sample.
  TrainingData(Tokens tokens, const SampleShape& shape);
  /// At least one. Throws Refusal of a weight (Mixture).
  TrainingData(std::vector<DataSet> sets, const SampleShape& shape);

  Batch micro_batch(std::uint64_t step, int m) const { return micro_batch_at(position(step), m); }
  /// Micro-batch m of a step whose first sample is at `position`.
  Batch micro_batch_at(std::uint64_t position, int m) const;
  int micro_batches() const { return shape_.batch / shape_.micro_batch; }
  /// Position of the first sample of a step in the endless sequence.
  std::uint64_t position(std::uint64_t step) const { return step * shape_.batch + shift_; }
  /// The samples of `step` begin at `position`, those of the other steps before and behind: of a run whose earlier
  /// steps had another batch. Not while another thread asks for samples.
  void set_position(std::uint64_t step, std::uint64_t position) { shift_ = position - step * shape_.batch; }

  std::uint64_t samples() const;   ///< of all sets
  std::uint64_t tokens() const;    ///< of all sets
  std::uint32_t checksum() const;  ///< of all sets
  std::size_t sets() const { return sets_.size(); }
  const Samples& set(std::size_t n) const { return *sets_[n].samples; }
  /// [set]: of 10,000 samples.
  const std::vector<std::uint64_t>& parts() const { return mixture_.parts(); }
  /// Which sample of which set is at `position` of the endless sequence.
  Mixture::Place sample_at(std::uint64_t position) const;

 private:
  std::vector<DataSet> sets_;
  SampleShape shape_;
  Mixture mixture_;
  std::uint64_t shift_ = 0;  // modulo 2^64: it may be below 0
};

/// The first `limit` samples, or all if there are fewer, each once and in order. The last micro-batch takes what is
/// left.
class EvalData {
 public:
  /// Throws Refusal as TrainingData.
  EvalData(Tokens tokens, int seq, int micro_batch, std::uint64_t limit);
  EvalData(std::shared_ptr<const Samples> samples, int micro_batch, std::uint64_t limit);

  Batch micro_batch(int m) const;
  int micro_batches() const;
  std::uint64_t samples() const { return samples_; }
  std::uint64_t tokens() const { return all_->tokens(); }

 private:
  std::shared_ptr<const Samples> all_;
  int micro_batch_;
  std::uint64_t samples_;
};

}  // namespace weft
