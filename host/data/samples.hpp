/// A data set as samples, each with max_sequence_length tokens and as many labels.
#pragma once

#include <cstdint>
#include <vector>

#include "host/data/tokens.hpp"

namespace weft::data {

/// One micro-batch: [sequences][max_sequence_length] token ids, and the label of each (compiler::label_of()).
struct Batch {
  std::vector<TokenId> inputs, labels;
  float class_weight = 1;  ///< Plan::tokens()
};

/// A sequence of samples. Thread-safe; sample k never changes.
class Samples {
 public:
  Samples() = default;
  Samples(const Samples&) = delete;
  Samples& operator=(const Samples&) = delete;
  virtual ~Samples() = default;

  virtual std::uint64_t size() const = 0;  ///< at least 1
  virtual std::uint64_t tokens() const = 0;
  virtual std::uint32_t checksum() const = 0;      ///< checksum of all data that the samples are made from
  virtual bool all_count() const { return true; }  ///< no label is kNoLabel
  /// Appends sample k, which must be below size(). Throws Refusal if the sample cannot be read or has changed on disk.
  virtual void append(std::uint64_t k, Batch& batch) const = 0;
};

/// A text divided into (tokens-1)/seq samples: sample k has the inputs tokens[k*seq .. k*seq+seq-1], and the labels one
/// position later.
class TokenSamples final : public Samples {
 public:
  /// Throws Refusal if there are too few tokens for one sample.
  TokenSamples(Tokens tokens, int seq);

  std::uint64_t size() const override { return samples_; }
  std::uint64_t tokens() const override { return tokens_.size(); }
  std::uint32_t checksum() const override { return tokens_.checksum(); }
  void append(std::uint64_t k, Batch& batch) const override;

 private:
  Tokens tokens_;
  std::uint64_t seq_, samples_;
};

}  // namespace weft::data
