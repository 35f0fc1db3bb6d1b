#include "host/memoryx/store.hpp"

#include <algorithm>
#include <vector>

#include "host/memoryx/huge_pages.hpp"
#include "host/memoryx/normal_rng.hpp"
#include "host/memoryx/pages/pinned_pages.hpp"

namespace weft::memoryx {
namespace {

class DramStore final : public ParameterStore {
 public:
  DramStore(std::uint64_t parameters, int moments)
      : weights_(parameters), first_(moments > 0 ? parameters : 0), second_(moments > 1 ? parameters : 0) {}
  std::span<float> weights() override { return weights_; }
  std::span<float> first_moments() override { return first_; }
  std::span<float> second_moments() override { return second_; }

 private:
  using Vector = std::vector<float, HugePages<float>>;
  Vector weights_, first_, second_;
};

/// Initialises elements first, first + 1, ... of a tensor.
void initialise_part(const compiler::TensorInfo& tensor, std::uint64_t seed, std::size_t first,
                     std::span<float> weights) {
  if (tensor.init_std == 0) {
    std::ranges::fill(weights, tensor.init_value);
    return;
  }
  const NormalRng normal(seed, tensor.name);
  for (std::size_t i = 0; i < weights.size(); ++i)
    weights[i] = static_cast<float>(static_cast<double>(tensor.init_std) * normal(first + i));
}

struct Part {
  std::size_t first = 0, count = 0;  // elements of a tensor
};

/// The part of a tensor that is in the shards `own` of a flat vector of `size`.
Part part_of(const compiler::TensorInfo& tensor, const ShardRange& own, std::size_t size) {
  const std::size_t begin = std::clamp<std::size_t>(own.begin(size), tensor.offset, tensor.offset + tensor.size);
  const std::size_t end = std::clamp<std::size_t>(own.end(size), begin, tensor.offset + tensor.size);
  return {begin - tensor.offset, end - begin};
}

}  // namespace

std::vector<std::span<float>> ParameterStore::vectors() {
  std::vector<std::span<float>> all = {weights(), first_moments(), second_moments()};
  std::erase_if(all, [](const auto& vector) { return vector.empty(); });
  return all;
}

std::unique_ptr<ParameterStore> make_dram_store(std::uint64_t parameters, int moments) {
  return std::make_unique<DramStore>(parameters, moments);
}

void in_blocks(ParameterStore& store, std::span<float> part, bool change,
               const std::function<void(std::span<float>)>& work) {
  Pages* const pages = store.pages();
  if (pages == nullptr) return work(part);
  const std::size_t most = std::max(ParameterStore::kBlock, pages->page_bytes() / sizeof(float));
  const auto begin = static_cast<std::size_t>(part.data() - reinterpret_cast<float*>(pages->data()));
  PinnedPages pinned(pages, pages_of(most * sizeof(float), pages->page_bytes()),
                     change ? Pages::Use::Change : Pages::Use::Read, 4);
  for (std::size_t at = 0, size = 0; at < part.size(); at += size) {
    size = std::min(most - (begin + at) % most, part.size() - at);
    const std::span<float> block = part.subspan(at, size);
    pinned.pin(block);
    work(block);
  }
}

void prune(const std::vector<compiler::TensorInfo>& tensors, const compiler::Mask& mask, ParameterStore& store,
           std::span<float> vector, const ShardRange& own) {
  if (store.pages() == nullptr && own.all()) return compiler::prune(tensors, mask, vector);
  for (const compiler::TensorInfo& tensor : tensors) {
    const auto mine = mask.find(tensor.name);
    if (mine == mask.end()) continue;
    const auto [first, count] = part_of(tensor, own, vector.size());
    std::size_t k = first;
    in_blocks(store, vector.subspan(tensor.offset + first, count), true, [&](std::span<float> block) {
      for (float& value : block)
        if (!mine->second[k++]) value = 0;
    });
  }
}

void initialise_tensor(const compiler::TensorInfo& tensor, std::uint64_t seed, Pool& pool, std::span<float> weights) {
  for_each_shard(weights.size(), pool, [&](std::size_t begin, std::size_t end) {
    initialise_part(tensor, seed, begin, weights.subspan(begin, end - begin));
  });
}

void initialise(std::span<const compiler::TensorInfo> tensors, std::uint64_t seed, Pool& pool, ParameterStore& store,
                const ShardRange& own) {
  const std::size_t size = store.weights().size();
  if (store.pages() == nullptr && own.all()) {  // otherwise the moments are zero already
    std::ranges::fill(store.first_moments(), 0.0F);
    std::ranges::fill(store.second_moments(), 0.0F);
  }
  for (const compiler::TensorInfo& tensor : tensors) {
    const auto [first, count] = part_of(tensor, own, size);
    const std::span<float> weights = store.weights().subspan(tensor.offset + first, count);
    for_each_shard(count, pool, [&, first = first](std::size_t begin, std::size_t end) {
      std::size_t at = begin;
      in_blocks(store, weights.subspan(begin, end - begin), true, [&](std::span<float> block) {
        initialise_part(tensor, seed, first + at, block);
        at += block.size();
      });
    });
  }
}

}  // namespace weft::memoryx
