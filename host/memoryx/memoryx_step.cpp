// A step of MemoryX: sums gradients and applies them to the weights.
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "host/memoryx/fixed_point.hpp"
#include "host/memoryx/memoryx.hpp"
#include "host/memoryx/shards.hpp"
#include "sw/base/invariant.hpp"

namespace weft::memoryx {
namespace {

double mean_of(std::uint64_t tokens) {
  static_assert(kGradientBits == 40);
  invariant(tokens > 0, "a global batch has tokens");
  return 0x1p-40 / static_cast<double>(tokens);
}

}  // namespace

void MemoryX::gradient(std::uint64_t first, std::span<std::int64_t> to) {
  for (std::size_t at = 0, count = 0; at < to.size(); at += count) {
    const std::size_t begin = (first + at) % kShard;
    count = std::min(kShard - begin, to.size() - at);
    sum_.read((first + at) / kShard, begin, to.subspan(at, count));
  }
}

void MemoryX::begin_step(std::uint64_t micro_batches) {
  if (torn_) pool_.failure().set(std::make_exception_ptr(std::runtime_error("a step failed during its update")));
  pool_.failure().check();
  sum_.check_range(micro_batches);
  if (dirty_) {
    updates_.finish();
    sum_.sums().clear();
  }
  dirty_ = false;
  upcoming_.reset();
}

void MemoryX::begin_step(const UpcomingStep& upcoming) {
  begin_step(upcoming.micro_batches);
  if (!options_.eager || options_.optimizer.max_gradient_norm > 0) return;
  const double mean = mean_of(upcoming.tokens);
  eager_work_ = shard_work(
      make_optimizer_step(options_.optimizer, upcoming.step, options_.learning_rate.at(upcoming.step), mean), mean);
  eager_.begin(upcoming.passes, [this](int tensor) { free({&tensor, 1}); });
  upcoming_ = upcoming;
}

void MemoryX::streamed(std::size_t op) {
  if (is_eager()) eager_.read(op);
}

/// The last step's update is over at this point, because the step under way has already read weights that it wrote.
void MemoryX::free(std::span<const int> tensors) {
  torn_ = true;
  if (eager_work_) updates_.begin(std::exchange(eager_work_, nullptr), shard_prefetch());
  updates_.release(tensors);
}

void MemoryX::add(std::size_t op, std::size_t first, std::span<const std::int64_t> values) {
  invariant(op < written_.size(), "a gradient belongs to an op");
  updates_.wait(written_[op]);  // the last update consumes the old sums tensor by tensor
  dirty_ = true;
  sum_.add(op, first, values);
  if (is_eager()) eager_.count_added(op, values.size());
}

Applied MemoryX::apply(std::uint64_t step, std::uint64_t tokens) {
  Applied applied;
  pool_.failure().guard([&] { applied = update(step, tokens); });
  pool_.failure().check();
  return applied;
}

// Every operation that can fail precedes the first change of a weight, except accesses to the store.
Applied MemoryX::update(std::uint64_t step, std::uint64_t tokens) {
  const double mean = mean_of(tokens);
  Applied applied;
  applied.learning_rate = options_.learning_rate.at(step);
  if (is_eager()) {
    invariant(upcoming_->step == step && upcoming_->tokens == tokens, "a step is applied as announced");
    free(eager_.rest());
    upcoming_.reset();
    dirty_ = torn_ = false;
    known_ = true;
    return applied;
  }
  updates_.finish();
  const OptimizerOptions& rule = options_.optimizer;
  if (rule.max_gradient_norm > 0) applied.clip = clip_factor(rule, ExactSum::norm(sum_.squares(mean, pool_)));
  begin_update(step, mean, applied);
  return applied;
}

void MemoryX::begin_update(std::uint64_t step, double mean, const Applied& how) {
  updates_.begin(shard_work(make_optimizer_step(options_.optimizer, step, how.learning_rate, mean * how.clip), mean),
                 shard_prefetch());
  updates_.release(tensors_);
  dirty_ = false;
  known_ = true;
}

std::vector<double> MemoryX::squares(std::uint64_t tokens) {
  updates_.finish();
  return sum_.squares(mean_of(tokens), pool_);
}

void MemoryX::apply(std::uint64_t step, std::uint64_t tokens, const Applied& how) {
  pool_.failure().guard([&] {
    updates_.finish();
    begin_update(step, mean_of(tokens), how);
  });
  pool_.failure().check();
}

Updates::Work MemoryX::shard_work(std::shared_ptr<const OptimizerStep> constants, double mean) {
  invariant(moments() >= state_vectors(options_.optimizer), "the store has room for what the optimizer keeps");
  if (snapshot_ && snapshot_->ended()) snapshot_.reset();
  return [this, constants = std::move(constants), mean, snapshot = snapshot_](std::size_t shard) {
    if (snapshot) snapshot->before_update(shard);
    const auto begin = options_.updated ? std::chrono::steady_clock::now() : MemoryXOptions::Time{};
    done_[shard] = pass_.run(shard, *constants, mean, *store_, sum_.sums().shard(shard));
    sum_.sums().give_back(shard);
    if (options_.updated) options_.updated(shard, begin, std::chrono::steady_clock::now());
  };
}

Updates::Work MemoryX::shard_prefetch() {
  Pages* const pages = store_->pages();
  if (pages == nullptr) return nullptr;
  return [this, pages](std::size_t shard) {
    const std::size_t begin = shard * kShard, size = std::min(kShard, weights_.size() - begin);
    const auto prefetch = [&](std::span<const std::byte> bytes) {
      const auto [first, count] = pages->range_of(bytes);
      pages->prefetch(first, count);
    };
    for (const auto& vector : store_->vectors()) prefetch(std::as_bytes(vector.subspan(begin, size)));
    prefetch(std::as_bytes(store_->sums().subspan(begin, size)));
  };
}

}  // namespace weft::memoryx
