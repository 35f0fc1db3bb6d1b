#include "host/memoryx/memoryx.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "host/memoryx/shards.hpp"
#include "host/memoryx/state_hash.hpp"
#include "host/memoryx/weight_limit.hpp"
#include "sw/base/invariant.hpp"

namespace weft::memoryx {
namespace {

/// [op]: the tensors that an op returns gradients of.
std::vector<std::vector<int>> tensors_written(const compiler::Plan& plan) {
  std::vector<std::uint64_t> ends;
  for (const compiler::TensorInfo& tensor : plan.tensors) {
    invariant(tensor.offset == (ends.empty() ? 0 : ends.back()), "tensors follow one another in the flat vector");
    ends.push_back(tensor.offset + tensor.size);
  }
  invariant((ends.empty() ? 0 : ends.back()) == plan.parameters, "tensors fill the flat vector");
  std::vector<std::vector<int>> written(plan.ops.size());
  for (std::size_t op = 0; op < plan.ops.size(); ++op)
    if (plan.ops[op].returns == compiler::Returns::Gradient)
      written[op] = compiler::tensors_of(plan.ops[op].descriptor, plan.tensors);
  return written;
}

/// [op]: number of words of its gradient.
std::vector<std::size_t> words_returned(const compiler::Plan& plan, const ExactSum& sum) {
  std::vector<std::size_t> words;
  for (std::size_t op = 0; op < plan.ops.size(); ++op) words.push_back(sum.words(op));
  return words;
}

std::unique_ptr<ParameterStore> make_store(const compiler::Plan& plan, const MemoryXOptions& options) {
  const int moments = state_vectors(options.optimizer);
  return options.shards.all() ? make_dram_store(plan.parameters, moments) : make_part_store(plan.parameters, moments);
}

}  // namespace

MemoryX::MemoryX(const compiler::Plan& plan, MemoryXOptions options, std::unique_ptr<ParameterStore> store)
    : MemoryX(plan, std::move(options), std::move(store), AsItIs{}) {
  initialise(plan.tensors, options_.seed, pool_, *store_, options_.shards);
  prune(plan.tensors, plan.mask, *store_, store_->weights(), options_.shards);
}

MemoryX::MemoryX(const compiler::Plan& plan, MemoryXOptions options, std::unique_ptr<ParameterStore> store,
                 AsItIs /*state*/)
    : plan_(plan),
      options_(std::move(options)),
      pool_(std::max(1U, options_.threads)),
      store_(store ? std::move(store) : make_store(plan, options_)),
      weights_(store_->weights()),
      moments_(static_cast<int>(store_->vectors().size()) - 1),
      sum_(plan, store_.get()),
      pass_(plan, options_.no_decay, options_.frozen, options_.decay),
      done_(shard_count(plan.parameters)),
      written_(tensors_written(plan)),
      eager_(plan, written_, words_returned(plan, sum_)),
      tensors_(plan.tensors.size()),
      updates_(plan, pool_, options_.shards) {
  std::iota(tensors_.begin(), tensors_.end(), 0);
  invariant(weights_.size() == plan.parameters, "the store has room for every parameter");
  invariant(options_.shards.all() || !options_.eager, "eager updates cover all shards");
  sum_.leave_out(options_.frozen);
  sum_.keep(options_.shards);
}

std::unique_ptr<MemoryX> MemoryX::of_state(const compiler::Plan& plan, MemoryXOptions options,
                                           std::unique_ptr<ParameterStore> store) {
  std::unique_ptr<MemoryX> memoryx(new MemoryX(plan, std::move(options), std::move(store), AsItIs{}));
  for (const auto& vector : memoryx->store_->vectors()) prune(plan.tensors, plan.mask, *memoryx->store_, vector);
  return memoryx;
}

std::unique_ptr<ParameterStore> MemoryX::take_store() {
  store();  // waits for the last update and for a snapshot under way
  if (dirty_) sum_.sums().clear();
  return std::move(store_);
}

std::shared_ptr<Snapshot> MemoryX::snapshot(Take take, std::function<void()> end) {
  check_whole();
  auto take_shard = [this, take = std::move(take)](std::size_t shard) {
    const std::size_t begin = shard * kShard, size = std::min(kShard, weights_.size() - begin);
    int number = 0;
    for (const auto& vector : store_->vectors()) {
      std::uint64_t at = begin;
      in_blocks(*store_, vector.subspan(begin, size), false, [&](std::span<float> block) {
        take(number, at, block);
        at += block.size();
      });
      ++number;
    }
  };
  snapshot_ = std::make_shared<Snapshot>(updates_.order(), std::move(take_shard), std::move(end));
  return snapshot_;
}

void MemoryX::prefetch(std::span<const int> tensors) const {
  Pages* const pages = store_->pages();
  if (pages == nullptr) return;
  for (const int t : tensors) {
    const compiler::TensorInfo& tensor = plan_.tensors[static_cast<std::size_t>(t)];
    const auto [first, count] = pages->range_of(std::as_bytes(weights_.subspan(tensor.offset, tensor.size)));
    pages->prefetch(first, std::min(count, kPrefetchPages));
  }
}

UpdateResult MemoryX::finish_update() {
  UpdateResult settled{.diverged = diverged()};
  double square = 0;
  for (const ShardDone& shard : done_) square += shard.square;
  settled.gradient_norm = std::sqrt(square);
  settled.hash = hash();
  return settled;
}

std::vector<ShardDone> MemoryX::shard_results() {
  check_whole();
  if (!known_) {
    const std::vector<StateShard> hashes = hash_shards(*store_, pool_, options_.shards);
    for (std::size_t k = 0; k < hashes.size(); ++k) done_[options_.shards.first + k] = {.hash = hashes[k]};
  }
  return done_;
}

bool MemoryX::is_consistent() const {
  pool_.wait();
  const bool lost = store_->pages() != nullptr && store_->pages()->failed();
  return !torn_ && !lost && !pool_.failure().happened();
}

void MemoryX::check_whole() const {
  updates_.finish();
  if (torn_) throw std::runtime_error("the weights belong to two steps, since an update was interrupted");
}

std::optional<std::string> MemoryX::diverged() const {
  updates_.finish();
  const bool within = std::ranges::all_of(done_, &ShardDone::within);
  return within ? std::nullopt : beyond_weight_limit(plan_.tensors, *store_);
}

ParameterStore& MemoryX::store() {
  check_whole();
  if (snapshot_) snapshot_->finish();
  known_ = false;
  return *store_;
}

std::uint64_t MemoryX::hash() {
  check_whole();
  if (!known_) return state_hash(*store_, pool_);
  std::vector<StateShard> shards;
  for (const ShardDone& shard : done_) shards.push_back(shard.hash);
  return state_hash(shards, plan_.parameters, moments());
}

}  // namespace weft::memoryx
