/// Selects the samples of a step: a pure function of the data sets, the configuration, the step and the micro-batch.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "host/data/class_weight.hpp"
#include "host/data/mixture.hpp"
#include "host/data/samples.hpp"

namespace weft::data {

/// Sizes of samples and batches, and their order.
struct SampleShape {
  int seq = 1;          ///< tokens per sample
  int batch = 1;        ///< samples per step
  int micro_batch = 1;  ///< samples per micro-batch; divides batch
  bool shuffle = false;
  std::uint64_t seed = 0;
  bool two_losses = false;  ///< of classes and of tokens
};

/// One of several data sets. Samples are drawn in proportion to `weight` (mixture.hpp).
struct DataSet {
  std::shared_ptr<const Samples> samples;
  double weight = 1;
};

/// An epoch of a data set takes each of its samples once, in order or, with `shuffle`, in an order that depends only on
/// seed, set and epoch. The data sets are interleaved into one endless sequence of samples. Step s takes the `batch`
/// samples from position(s) on, which is s*batch unless set_position was called; micro-batch m of the step takes those
/// from m*micro_batch on. Thread-safe.
class TrainingData {
 public:
  /// Throws Refusal if there are too few tokens for one sample.
  TrainingData(Tokens tokens, const SampleShape& shape);
  /// There must be at least one set. Throws Refusal for an invalid weight (Mixture).
  TrainingData(std::vector<DataSet> sets, const SampleShape& shape);

  Batch micro_batch(std::uint64_t step, int m) const { return micro_batch_at(position(step), m); }
  /// Micro-batch m of a step whose first sample is at `position`.
  Batch micro_batch_at(std::uint64_t position, int m) const;
  int micro_batches() const { return shape_.batch / shape_.micro_batch; }
  /// Position of the first sample of a step in the endless sequence.
  std::uint64_t position(std::uint64_t step) const { return step * shape_.batch + shift_; }
  /// Makes the samples of `step` begin at `position`, and shifts all other steps accordingly, e.g. for a run whose
  /// earlier steps had another batch size. Must not be called while another thread requests samples.
  void set_position(std::uint64_t step, std::uint64_t position) { shift_ = position - step * shape_.batch; }

  std::uint64_t samples() const;   ///< samples of all sets
  std::uint64_t tokens() const;    ///< tokens of all sets
  std::uint32_t checksum() const;  ///< checksum of all sets
  std::size_t sets() const { return sets_.size(); }
  const Samples& set(std::size_t n) const { return *sets_[n].samples; }
  /// [set]: samples out of 10,000.
  const std::vector<std::uint64_t>& parts() const { return mixture_.parts(); }
  /// The set, and the sample in it, at `position` of the endless sequence.
  Mixture::Place sample_at(std::uint64_t position) const;

 private:
  Batch samples_from(std::uint64_t first, int count) const;

  std::vector<DataSet> sets_;
  SampleShape shape_;
  Mixture mixture_;
  std::uint64_t shift_ = 0;  // modulo 2^64, as it may be negative
  std::shared_ptr<ClassWeight> class_weight_ = std::make_shared<ClassWeight>();
};

/// The first `limit` samples, or all if there are fewer, each once and in order. The last micro-batch has the
/// remainder.
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

}  // namespace weft::data
