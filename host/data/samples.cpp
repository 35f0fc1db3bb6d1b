#include "host/data/samples.hpp"

#include <fmt/format.h>

#include "sw/base/refusal.hpp"

namespace weft::data {
namespace {

std::uint64_t whole_samples(const Tokens& tokens, std::uint64_t seq) {
  const std::uint64_t samples = tokens.size() == 0 ? 0 : (tokens.size() - 1) / seq;
  if (samples > 0) return samples;
  throw Refusal("",
                fmt::format("{} no sample, which takes {} and a last label",
                            tokens.size() == 1 ? "1 token makes" : fmt::format("{} tokens make", tokens.size()), seq),
                "give more text or tokens, or reduce model.max_sequence_length");
}

}  // namespace

TokenSamples::TokenSamples(Tokens tokens, int seq)
    : tokens_(std::move(tokens)), seq_(static_cast<std::uint64_t>(seq)), samples_(whole_samples(tokens_, seq_)) {}

void TokenSamples::append(std::uint64_t k, Batch& batch) const {
  std::vector<TokenId> all(seq_ + 1);
  tokens_.copy(k * seq_, all);
  batch.inputs.insert(batch.inputs.end(), all.begin(), all.end() - 1);
  batch.labels.insert(batch.labels.end(), all.begin() + 1, all.end());
}

}  // namespace weft::data
