/// Padded samples, each of which belongs to one document.
#pragma once

#include <cstdint>
#include <vector>

#include "host/data/samples.hpp"

namespace weft::data {

/// Each document begins a new sample. A document with more than max_sequence_length tokens continues in the next
/// sample; the rest of its last sample is padding: ids 0 with labels kNoLabel, which no earlier token attends to. The
/// last token of a document is only a label, so a document with a single token is left out.
class PaddedSamples final : public Samples {
 public:
  /// `ends`: for each document, the number of tokens up to its end, ascending. Throws Refusal if no document has two
  /// tokens.
  PaddedSamples(Tokens tokens, const std::vector<std::uint64_t>& ends, int seq);

  std::uint64_t size() const override { return parts_.size(); }
  std::uint64_t tokens() const override { return tokens_.size(); }
  std::uint32_t checksum() const override { return checksum_; }
  bool all_count() const override { return all_count_; }
  void append(std::uint64_t k, Batch& batch) const override;

 private:
  struct Part {
    std::uint64_t first;  // index of the first token
    std::uint64_t count;  // number of labels
  };
  Tokens tokens_;
  std::uint64_t seq_;
  std::vector<Part> parts_;  // [sample]
  std::uint32_t checksum_;
  bool all_count_ = true;
};

/// The ends of documents whose last token is `end`; tokens after the last of these form one more document.
std::vector<std::uint64_t> ends_behind(const Tokens& tokens, TokenId end);

}  // namespace weft::data
