#include "host/data/data.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

#include "host/data/permutation.hpp"
#include "sw/base/crc32c.hpp"

namespace weft::data {
namespace {

std::vector<double> weights_of(const std::vector<DataSet>& sets) {
  std::vector<double> weights;
  for (const DataSet& set : sets) weights.push_back(set.weight);
  return weights;
}

/// Each set has its own seed, so that sets of equal size are shuffled differently.
std::uint64_t seed_of(std::uint64_t seed, std::size_t set) { return set == 0 ? seed : mix64(seed + mix64(set)); }

}  // namespace

TrainingData::TrainingData(Tokens tokens, const SampleShape& shape)
    : TrainingData(std::vector<DataSet>{{std::make_shared<TokenSamples>(std::move(tokens), shape.seq)}}, shape) {}

TrainingData::TrainingData(std::vector<DataSet> sets, const SampleShape& shape)
    : sets_(std::move(sets)), shape_(shape), mixture_(weights_of(sets_)) {}

std::uint64_t TrainingData::samples() const {
  return std::accumulate(sets_.begin(), sets_.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const DataSet& set) { return sum + set.samples->size(); });
}

std::uint64_t TrainingData::tokens() const {
  return std::accumulate(sets_.begin(), sets_.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const DataSet& set) { return sum + set.samples->tokens(); });
}

std::uint32_t TrainingData::checksum() const {
  std::uint32_t checksum = sets_.front().samples->checksum();
  for (std::size_t n = 1; n < sets_.size(); ++n) {
    std::array<std::uint8_t, 4> next{};
    const std::uint32_t of_set = sets_[n].samples->checksum();
    std::memcpy(next.data(), &of_set, sizeof of_set);
    checksum = crc32c(next, checksum);
  }
  return checksum;
}

Mixture::Place TrainingData::sample_at(std::uint64_t position) const {
  const Mixture::Place place = mixture_.at(position);
  const std::uint64_t size = set(place.set).size(), epoch = place.position / size, within = place.position % size;
  const std::uint64_t seed = seed_of(shape_.seed, place.set);
  return {place.set, shape_.shuffle ? permute(within, size, mix64(mix64(seed) + epoch)) : within};
}

Batch TrainingData::samples_from(std::uint64_t first, int count) const {
  Batch batch;
  for (int i = 0; i < count; ++i) {
    const Mixture::Place place = sample_at(first + i);
    set(place.set).append(place.position, batch);
  }
  return batch;
}

Batch TrainingData::micro_batch_at(std::uint64_t position, int m) const {
  Batch batch = samples_from(position + static_cast<std::uint64_t>(m) * shape_.micro_batch, shape_.micro_batch);
  if (shape_.two_losses)
    batch.class_weight = class_weight_->of(position, [&] { return samples_from(position, shape_.batch); });
  return batch;
}

EvalData::EvalData(Tokens tokens, int seq, int micro_batch, std::uint64_t limit)
    : EvalData(std::make_shared<TokenSamples>(std::move(tokens), seq), micro_batch, limit) {}

EvalData::EvalData(std::shared_ptr<const Samples> samples, int micro_batch, std::uint64_t limit)
    : all_(std::move(samples)), micro_batch_(micro_batch), samples_(std::min(all_->size(), limit)) {}

int EvalData::micro_batches() const {
  const auto size = static_cast<std::uint64_t>(micro_batch_);
  return static_cast<int>((samples_ + size - 1) / size);
}

Batch EvalData::micro_batch(int m) const {
  Batch batch;
  const auto size = static_cast<std::uint64_t>(micro_batch_);
  const std::uint64_t first = static_cast<std::uint64_t>(m) * size;
  for (std::uint64_t k = first; k < std::min(first + size, samples_); ++k) all_->append(k, batch);
  return batch;
}

}  // namespace weft::data
