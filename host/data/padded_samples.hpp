/// Documents as samples of their own, padded.
#pragma once

#include <cstdint>
#include <vector>

#include "host/data/samples.hpp"

namespace weft {

/// Each document begins a sample. One that has more than max_sequence_length tokens goes on in the next; what its last
/// sample has room for is padding: ids 0 with labels that are none, which no token before them sees. A document's last
/// token is a label alone, and one of a single token is left out.
class PaddedSamples final : public Samples {
 public:
  /// `ends`: of each document, the number of tokens up to its end, rising. Throws Refusal if no document has two
  /// tokens.
  PaddedSamples(Tokens tokens, const std::vector<std::uint64_t>& ends, int seq);

  std::uint64_t size() const override { return parts_.size(); }
  std::uint64_t tokens() const override { return tokens_.size(); }
  std::uint32_t checksum() const override { return checksum_; }
  bool all_count() const override { return all_count_; }
  void append(std::uint64_t k, Batch& batch) const override;

 private:
  struct Part {
    std::uint64_t first;  // token
    std::uint64_t count;  // labels
  };
  Tokens tokens_;
  std::uint64_t seq_;
  std::vector<Part> parts_;  // [sample]
  std::uint32_t checksum_;
  bool all_count_ = true;
};

/// Ends of the documents behind whose last token is `end`; what is behind the last of these is one, too.
std::vector<std::uint64_t> ends_behind(const Tokens& tokens, TokenId end);

}  // namespace weft
