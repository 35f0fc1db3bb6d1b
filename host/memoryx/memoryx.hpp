/// MemoryX: owns the parameters and the optimizer's state, sums gradients and applies them.
///
/// A step, from the caller's view:
///   begin_step(micro_batches);
///   for each op: wait(op.tensors), stream it from parameters();
///   add(op, ...) for each part of each returned gradient, in any order;
///   apply(step, tokens): returns at once, the next step may begin;
///   finish_update(): the results of the step, once they are known.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "host/memoryx/eager_update.hpp"
#include "host/memoryx/exact_sum.hpp"
#include "host/memoryx/learning_rate.hpp"
#include "host/memoryx/optimizer.hpp"
#include "host/memoryx/pages/pages.hpp"
#include "host/memoryx/pool.hpp"
#include "host/memoryx/shard_pass.hpp"
#include "host/memoryx/snapshot.hpp"
#include "host/memoryx/store.hpp"
#include "host/memoryx/updates.hpp"

namespace weft::memoryx {

struct MemoryXOptions {
  OptimizerOptions optimizer{};
  std::vector<std::string> no_decay{};  ///< names of tensors without weight decay, in addition to those of the plan
  std::vector<std::string> decay{};     ///< names of tensors with weight decay, in addition to those of the plan
  std::vector<std::string> frozen{};    ///< names of tensors that do not change; their gradients are discarded
  LearningRate learning_rate{1e-3};
  std::uint64_t seed = 1;
  unsigned threads = 1;  ///< does not affect any bit of the result
  /// The shards of the flat vectors that this instance owns; other instances own the rest (host/swarmx/memory).
  /// Gradients of other shards are discarded, and norms, hashes and checks cover the owned shards only. Not compatible
  /// with `eager`.
  ShardRange shards{};
  /// Eager updates, used if gradients are not clipped: a weight is updated as soon as its own gradient is complete, not
  /// only when all gradients of the step are. The bits of the result do not change, but a step that fails then cannot
  /// be undone and leaves a state that is not whole.
  bool eager = false;
  using Time = std::chrono::steady_clock::time_point;
  /// Called with the times at which a shard's update began and ended, in the thread that updated it; may be null.
  std::function<void(std::size_t shard, Time begin, Time end)> updated = {};
};

/// The properties of a step that are known when it begins.
struct UpcomingStep {
  std::uint64_t step = 0;  ///< from 0
  std::uint64_t micro_batches = 1;
  std::uint64_t passes = 1;  ///< how often each word of each gradient arrives
  std::uint64_t tokens = 0;  ///< in the global batch
};

/// The parameters of an optimizer step, known before the new weights are.
struct Applied {
  double learning_rate = 0;
  double clip = 1;  ///< factor applied to the gradient
};

/// The results of the last optimizer step, known once all its weights are.
struct UpdateResult {
  double gradient_norm = 0;             ///< norm of the mean over tokens, before clipping; 0: there was no step
  std::uint64_t hash = 0;               ///< as MemoryX::hash
  std::optional<std::string> diverged;  ///< as MemoryX::diverged
};

class MemoryX {
 public:
  static constexpr std::uint32_t kPrefetchPages = 8;  ///< pages of a tensor to prefetch

  /// Initialises `store` (DRAM if null) from the seed. Weights pruned by plan.mask are zero and stay zero, as do their
  /// moments, because they never get a gradient. `plan` must outlive this. All threads start here: throws
  /// std::system_error if the system cannot provide them.
  MemoryX(const compiler::Plan& plan, MemoryXOptions options, std::unique_ptr<ParameterStore> store = nullptr);

  /// Creates a MemoryX on a store whose state is kept, except that weights and moments pruned by plan.mask become zero.
  static std::unique_ptr<MemoryX> of_state(const compiler::Plan& plan, MemoryXOptions options,
                                           std::unique_ptr<ParameterStore> store);
  /// Returns the store, once all updates are applied and no snapshot is under way; afterwards only the destructor may
  /// be called. Throws as wait().
  std::unique_ptr<ParameterStore> take_store();

  /// Throws Refusal if that many micro-batches may overflow the gradient sums. Sums left by an abandoned step are
  /// discarded.
  void begin_step(std::uint64_t micro_batches);
  /// As above; with MemoryXOptions::eager the update begins before apply(), which must be called with the step and
  /// tokens given here.
  void begin_step(const UpcomingStep& upcoming);
  /// Reports that the step reads no more weights of op, as eager updates need. From one thread at a time, concurrently
  /// with add().
  void streamed(std::size_t op);
  /// Reports that the step under way has failed: its further gradients change no weight.
  void abandon_step() { eager_.end(); }
  /// Adds fixed-point gradients of op's words `first`, `first` + 1, ... (numbered row after row). From one thread at a
  /// time, between begin_step and apply.
  void add(std::size_t op, std::size_t first, std::span<const std::int64_t> values);
  /// Reads the sums added since begin_step, of elements `first`, `first` + 1, ... of the flat vector: sums over the
  /// global batch's tokens (fixed_point.hpp). Must precede apply().
  void gradient(std::uint64_t first, std::span<std::int64_t> to);
  /// Runs the optimizer with the sums divided by `tokens` (of the global batch); `step` counts from 0. Weights are
  /// updated in the background. A failure here or in the background leaves a state that is not whole: afterwards every
  /// function except is_consistent() throws that failure.
  Applied apply(std::uint64_t step, std::uint64_t tokens);

  /// First half of a step whose shards are distributed over several instances: the squares of the gradient's means over
  /// `tokens` tokens, summed per shard.
  std::vector<double> squares(std::uint64_t tokens);
  /// Second half: runs the optimizer with the given rate and clipping.
  void apply(std::uint64_t step, std::uint64_t tokens, const Applied& how);
  /// [shard]: the results that finish_update() combines, for owned shards only. Throws as finish_update().
  std::vector<ShardDone> shard_results();

  /// Increments `count`, which must outlive this, for each shard that is updated, summed or hashed. Must not be called
  /// while work is under way.
  void count_progress(std::atomic<std::uint64_t>& count) { pool_.count_progress(count); }

  /// Learning rate of step `step`, counted from 0.
  double learning_rate(std::uint64_t step) const { return options_.learning_rate.at(step); }

  /// Returns when these tensors have their weights of the last `apply`.
  void wait(std::span<const int> tensors) const { updates_.wait(tensors); }
  /// Number of moment vectors that the store has.
  int moments() const { return moments_; }
  /// Master weights, [plan.parameters]. Read only tensors that were waited for; if the store has pages, through a
  /// WeightReader.
  std::span<const float> parameters() const { return weights_; }
  /// Prefetches these tensors, which will be read soon.
  void prefetch(std::span<const int> tensors) const;
  /// The store's pages; null: everything is resident.
  Pages* pages() const { return store_->pages(); }

  /// True if finish_update() would not wait.
  bool update_finished() const noexcept { return updates_.finished(); }
  /// Waits for the last apply and returns its results, which the update pass computed. Throws as wait().
  UpdateResult finish_update();

  /// Waits for the last update. True if no update has failed or was interrupted by a failed step; otherwise weights may
  /// be of two different steps, and the state must not be saved.
  bool is_consistent() const;
  /// Waits for the last apply. Describes the first tensor that has weights not below kWeightLimit, or returns nothing
  /// if all are below. Such weights must not be saved. Throws as wait().
  std::optional<std::string> diverged() const;
  /// The store with all tensors up to date and no snapshot under way, for checkpoints and tests. The caller may write
  /// to it only until the next begin_step.
  ParameterStore& store();
  /// Takes a snapshot of the current state while training continues: `take` gets each part of the weights (vector 0)
  /// and of the moments (vectors 1 and 2, as far as they exist) exactly once, from element `first` of the flat vector
  /// on, called by several threads; then `end` is called. Exceptions of both are rethrown by the snapshot's wait(). The
  /// state must be whole; one snapshot at a time.
  using Take = std::function<void(int vector, std::uint64_t first, std::span<const float> values)>;
  std::shared_ptr<Snapshot> snapshot(Take take, std::function<void()> end);
  /// Peak memory of the sums over all steps so far, in bytes.
  std::size_t sum_bytes() const { return sum_.bytes(); }
  /// 64-bit hash of weights and moments: known since the last apply, unless store() was called since.
  std::uint64_t hash();

 private:
  struct AsItIs {};
  MemoryX(const compiler::Plan& plan, MemoryXOptions options, std::unique_ptr<ParameterStore> store, AsItIs /*state*/);
  Applied update(std::uint64_t step, std::uint64_t tokens);
  void begin_update(std::uint64_t step, double mean, const Applied& how);
  /// True if the update of the step under way may begin before apply().
  bool is_eager() const { return upcoming_.has_value(); }
  void free(std::span<const int> tensors);
  void check_whole() const;
  Updates::Work shard_work(std::shared_ptr<const OptimizerStep> constants, double mean);
  Updates::Work shard_prefetch();

  const compiler::Plan& plan_;
  MemoryXOptions options_;
  Pool pool_;  // a failure of the pool is a failure of this MemoryX
  std::unique_ptr<ParameterStore> store_;
  std::span<const float> weights_;
  int moments_;
  ExactSum sum_;
  ShardPass pass_;
  std::vector<ShardDone> done_;            // [shard] of the last apply
  std::optional<UpcomingStep> upcoming_;   // set until apply in a step with eager updates
  Updates::Work eager_work_;               // the update work of such a step; null: its update has begun
  std::atomic<bool> torn_ = false;         // some weights may already be of the step under way
  bool known_ = false;                     // done_ describes the current state
  bool dirty_ = false;                     // the sums hold an unapplied gradient
  std::vector<std::vector<int>> written_;  // [op]: tensors whose gradients it returns
  EagerUpdate eager_;
  std::shared_ptr<Snapshot> snapshot_;  // must not be overtaken by the next update; null: none
  std::vector<int> tensors_;            // indices of all tensors
  Updates updates_;                     // last: ends before the members it uses
};

}  // namespace weft::memoryx
