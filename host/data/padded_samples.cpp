#include "host/data/padded_samples.hpp"

#include <algorithm>

#include "sw/base/crc32c.hpp"
#include "sw/base/refusal.hpp"

namespace weft::data {

PaddedSamples::PaddedSamples(Tokens tokens, const std::vector<std::uint64_t>& ends, int seq)
    : tokens_(std::move(tokens)), seq_(static_cast<std::uint64_t>(seq)), checksum_(tokens_.checksum()) {
  std::uint64_t begin = 0;
  for (const std::uint64_t end : ends) {
    for (std::uint64_t first = begin; first + 1 < end; first += seq_) {
      parts_.push_back({first, std::min(seq_, end - 1 - first)});
      all_count_ &= parts_.back().count == seq_;
    }
    begin = end;
  }
  if (parts_.empty())
    throw Refusal("", "no document has two tokens, of which the second is a label", "give longer documents");
  checksum_ =
      crc32c({reinterpret_cast<const std::uint8_t*>(ends.data()), sizeof(std::uint64_t) * ends.size()}, checksum_);
}

void PaddedSamples::append(std::uint64_t k, Batch& batch) const {
  const Part& part = parts_[k];
  std::vector<TokenId> all(part.count + 1);
  tokens_.copy(part.first, all);
  batch.inputs.insert(batch.inputs.end(), all.begin(), all.end() - 1);
  batch.labels.insert(batch.labels.end(), all.begin() + 1, all.end());
  batch.inputs.resize(batch.inputs.size() + seq_ - part.count, 0);
  batch.labels.resize(batch.labels.size() + seq_ - part.count, kNoLabel);
}

std::vector<std::uint64_t> ends_behind(const Tokens& tokens, TokenId end) {
  constexpr std::uint64_t kAtOnce = 1 << 16;
  std::vector<std::uint64_t> ends;
  std::vector<TokenId> some;
  for (std::uint64_t first = 0; first < tokens.size(); first += some.size()) {
    some.resize(std::min(kAtOnce, tokens.size() - first));
    tokens.copy(first, some);
    for (std::size_t k = 0; k < some.size(); ++k)
      if (some[k] == end) ends.push_back(first + k + 1);
  }
  if (ends.empty() || ends.back() < tokens.size()) ends.push_back(tokens.size());
  return ends;
}

}  // namespace weft::data
