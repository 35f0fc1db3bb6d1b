#include "host/memoryx/shard_pass.hpp"

#include <algorithm>
#include <array>

#include "host/memoryx/pages/pinned_pages.hpp"
#include "host/memoryx/shards.hpp"
#include "host/memoryx/square_sum.hpp"

namespace weft::memoryx {

static_assert(kShard % ShardPass::kBlock == 0 && ShardPass::kBlock % ParameterStore::kBlock == 0);
static_assert(ParameterStore::kBlock % ShardHash::kBlock == 0 && ParameterStore::kBlock % SquareSum::kLanes == 0);

namespace {

/// Part of a vector; empty if the vector is.
template <class T>
std::span<T> part_of(std::span<T> vector, std::size_t at, std::size_t size) {
  return vector.empty() ? vector : vector.subspan(at, size);
}

}  // namespace

ShardPass::ShardPass(const compiler::Plan& plan, std::span<const std::string> no_decay,
                     std::span<const std::string> frozen, std::span<const std::string> decay) {
  const auto in = [](std::span<const std::string> names, const compiler::TensorInfo& tensor) {
    return std::ranges::find(names, tensor.name) != names.end();
  };
  for (const compiler::TensorInfo& tensor : plan.tensors) {
    const bool decays = (tensor.decay && !in(no_decay, tensor)) || in(decay, tensor);
    tensors_.push_back({tensor.offset + tensor.size, decays, in(frozen, tensor)});
  }
}

ShardDone ShardPass::run(std::size_t shard, const OptimizerStep& step, double mean, ParameterStore& store,
                         std::span<std::int64_t> sums) const {
  const std::size_t begin = shard * kShard, end = std::min(begin + kShard, store.weights().size());
  const std::span<float> weights = store.weights(), first = store.first_moments(), second = store.second_moments();
  Pages* const pages = store.pages();
  const std::size_t most = pages == nullptr ? kBlock : ParameterStore::kBlock;
  const auto pinned = [&](std::size_t bytes, Pages::Use use) {
    return PinnedPages(pages, pages == nullptr ? 0 : pages_of(bytes, pages->page_bytes()), use);
  };
  PinnedPages pinned_weights = pinned(most * sizeof(float), Pages::Use::Change),
              pinned_first = pinned(most * sizeof(float), Pages::Use::Last),
              pinned_second = pinned(most * sizeof(float), Pages::Use::Last),
              pinned_sums = pinned(most * sizeof(std::int64_t), Pages::Use::Forget);
  auto tensor = std::ranges::upper_bound(tensors_, begin, {}, &Tensor::end);
  SquareSum square;
  ShardHash hash_weights(StateShard::kWeights), hash_first(StateShard::kFirst), hash_second(StateShard::kSecond);
  ShardDone done;
  for (std::size_t block = begin; block < end; block += most) {
    const std::size_t size = std::min(most, end - block);
    std::array<std::int64_t, kBlock> zeros;
    if (sums.empty()) zeros.fill(0);
    const auto block_sums = sums.empty() ? std::span(zeros).first(size) : sums.subspan(block - begin, size);
    pinned_weights.pin(weights.subspan(block, size));
    if (!first.empty()) pinned_first.pin(first.subspan(block, size));
    if (!second.empty()) pinned_second.pin(second.subspan(block, size));
    if (!sums.empty()) pinned_sums.pin(block_sums);
    square.add(block_sums, mean);
    for (std::size_t at = block; at < block + size; tensor += tensor->end == at) {
      const std::size_t count = std::min(tensor->end, block + size) - at;
      if (!tensor->frozen) {
        done.within &= step.update({.decay = tensor->decay,
                                    .weights = weights.subspan(at, count),
                                    .first = part_of(first, at, count),
                                    .second = part_of(second, at, count),
                                    .sums = block_sums.subspan(at - block, count)});
      }
      at += count;
    }
    hash_weights.add(weights.subspan(block, size));
    hash_first.add(part_of(first, block, size));
    hash_second.add(part_of(second, block, size));
  }
  done.square = square.value();
  done.hash = {hash_weights.value(), hash_first.value(), hash_second.value()};
  return done;
}

}  // namespace weft::memoryx
