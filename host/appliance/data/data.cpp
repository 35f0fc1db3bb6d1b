#include "host/appliance/data/data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "host/appliance/data/permutation.hpp"
#include "sw/base/refusal.hpp"

namespace weft {
namespace {

std::uint64_t whole_samples(const Tokens& tokens, int seq) {
  const std::uint64_t samples = tokens.size() == 0 ? 0 : (tokens.size() - 1) / static_cast<std::uint64_t>(seq);
  if (samples > 0) return samples;
  throw Refusal("",
                fmt::format("{} no sample: it takes {} and a last label",
                            tokens.size() == 1 ? "1 token makes" : fmt::format("{} tokens make", tokens.size()), seq),
                "give more text or tokens, or reduce model.max_sequence_length");
}

void append_sample(const Tokens& tokens, std::uint64_t sample, int seq, Batch& batch) {
  std::vector<std::uint16_t> all(static_cast<std::size_t>(seq) + 1);
  tokens.copy(sample * static_cast<std::uint64_t>(seq), all);
  batch.inputs.insert(batch.inputs.end(), all.begin(), all.end() - 1);
  batch.labels.insert(batch.labels.end(), all.begin() + 1, all.end());
}

}  // namespace

TrainingData::TrainingData(Tokens tokens, const SampleShape& shape)
    : tokens_(std::move(tokens)),
      shape_(shape),
      samples_(whole_samples(tokens_, shape.seq)),
      checksum_(tokens_.checksum()) {}

std::uint64_t TrainingData::sample_at(std::uint64_t position) const {
  const std::uint64_t epoch = position / samples_, within = position % samples_;
  return shape_.shuffle ? permute(within, samples_, mix64(mix64(shape_.seed) + epoch)) : within;
}

Batch TrainingData::micro_batch(std::uint64_t step, int m) const {
  Batch batch;
  const std::uint64_t first = step * shape_.batch + static_cast<std::uint64_t>(m) * shape_.micro_batch;
  for (int i = 0; i < shape_.micro_batch; ++i) append_sample(tokens_, sample_at(first + i), shape_.seq, batch);
  return batch;
}

EvalData::EvalData(Tokens tokens, int seq, int micro_batch, std::uint64_t limit)
    : tokens_(std::move(tokens)),
      seq_(seq),
      micro_batch_(micro_batch),
      samples_(std::min(whole_samples(tokens_, seq), limit)) {}

int EvalData::micro_batches() const {
  const auto size = static_cast<std::uint64_t>(micro_batch_);
  return static_cast<int>((samples_ + size - 1) / size);
}

Batch EvalData::micro_batch(int m) const {
  Batch batch;
  const auto size = static_cast<std::uint64_t>(micro_batch_);
  const std::uint64_t first = static_cast<std::uint64_t>(m) * size;
  for (std::uint64_t k = first; k < std::min(first + size, samples_); ++k) append_sample(tokens_, k, seq_, batch);
  return batch;
}

}  // namespace weft
