/// MemoryX: owns the parameters and the optimizer's state, sums gradients and applies them.
///
/// A step, as its user sees it:
///   begin_step(micro_batches);
///   for each op: wait(op.tensors), stream it from parameters();
///   add(op, ...) for each part of each gradient that comes back, in any order;
///   apply(step, tokens): returns at once, the next step may begin;
///   settle(): what the step has come to, once it is known.
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

#include "host/memoryx/early.hpp"
#include "host/memoryx/exact_sum.hpp"
#include "host/memoryx/learning_rate.hpp"
#include "host/memoryx/optimizer.hpp"
#include "host/memoryx/pieces.hpp"
#include "host/memoryx/pool.hpp"
#include "host/memoryx/shard_pass.hpp"
#include "host/memoryx/snapshot.hpp"
#include "host/memoryx/store.hpp"
#include "host/memoryx/updates.hpp"

namespace weft {

struct MemoryXOptions {
  OptimizerOptions optimizer{};
  std::vector<std::string> no_decay{};  ///< names of tensors that do not decay, beside those of the plan
  std::vector<std::string> frozen{};    ///< names of tensors that do not change; their gradients count nowhere
  LearningRate learning_rate{1e-3};
  std::uint64_t seed = 1;
  unsigned threads = 1;  ///< never changes a bit
  /// Of the flat vectors these are here, others are another's (host/swarmx/memory): what comes of them is left out, and
  /// what is said of the state is said of these alone. Not with `early`.
  ShardRange shards{};
  /// Where gradients are not clipped: weights change as soon as their own gradients are complete, not only when all of
  /// a step are. It changes no bit; but a step that fails then has no way back, and leaves a state that is not whole.
  bool early = false;
  using Time = std::chrono::steady_clock::time_point;
  /// Told when the update of a shard began and ended, in the thread that did it; null: nobody.
  std::function<void(std::size_t shard, Time begin, Time end)> updated = {};
};

/// What is known of a step when it begins.
struct StepAhead {
  std::uint64_t step = 0;  ///< from 0
  std::uint64_t micro_batches = 1;
  std::uint64_t rounds = 1;  ///< so often each word of each gradient will come
  std::uint64_t tokens = 0;  ///< of the global batch
};

/// What an optimizer step will do, known before the weights are.
struct Applied {
  double learning_rate = 0;
  double clip = 1;  ///< factor applied to the gradient
};

/// What the last optimizer step has come to, known when all its weights are.
struct Settled {
  double gradient_norm = 0;             ///< of the mean over tokens, before clipping; 0: there was no step
  std::uint64_t hash = 0;               ///< as MemoryX::hash
  std::optional<std::string> diverged;  ///< as MemoryX::diverged
};

class MemoryX {
 public:
  static constexpr std::uint32_t kAhead = 8;  ///< pieces of a tensor that are read ahead

  /// Initialises `store` (DRAM if null) from the seed. What plan.mask leaves out is zero and stays zero, its moments
  /// too: it never gets a gradient. `plan` must outlive this. All threads start here: throws std::system_error if the
  /// system has too few.
  MemoryX(const Plan& plan, MemoryXOptions options, std::unique_ptr<ParameterStore> store = nullptr);

  /// The same of a store whose state stays as it is, but for what plan.mask leaves out, which becomes zero.
  static std::unique_ptr<MemoryX> of_state(const Plan& plan, MemoryXOptions options,
                                           std::unique_ptr<ParameterStore> store);
  /// Its store, once all is up to date and no snapshot under way; nothing but the destructor may be called then. Throws
  /// as wait().
  std::unique_ptr<ParameterStore> take_store();

  /// Throws Refusal if so many micro-batches may overflow the gradient sums. What an abandoned step left
  /// in the sums is forgotten.
  void begin_step(std::uint64_t micro_batches);
  /// The same; with MemoryXOptions::early the update begins before apply(), which must be of what is said here.
  void begin_step(const StepAhead& ahead);
  /// The step reads no weight of op any more: for early updates. From one thread at a time, beside add().
  void streamed(std::size_t op);
  /// The step under way has failed: what still comes of its gradients changes no weight.
  void abandon_step() { early_.end(); }
  /// Adds fixed-point gradients of op's words `first`, `first` + 1, ... (counted row after row). From one thread at a
  /// time, between begin_step and apply.
  void add(std::size_t op, std::size_t first, std::span<const std::int64_t> values);
  /// What was added since begin_step, of elements `first`, `first` + 1, ... of the flat vector: sums over the global
  /// batch's tokens (fixed_point.hpp). Before apply().
  void gradient(std::uint64_t first, std::span<std::int64_t> to);
  /// The optimizer's step with the sums divided by `tokens` (of the global batch); `step` counts from 0. Weights follow
  /// in the background. What fails here or there leaves a state that is not whole: whatever but whole() throws it from
  /// then on.
  Applied apply(std::uint64_t step, std::uint64_t tokens);

  /// The same in two, for who knows the rest of the shards. First the squares of the gradient's means over `tokens`
  /// tokens, added up: [shard].
  std::vector<double> squares(std::uint64_t tokens);
  /// Then the step, with the rate and the clipping that are said.
  void apply(std::uint64_t step, std::uint64_t tokens, const Applied& how);
  /// What settle() is put together of: [shard], of its own alone. Throws as settle().
  std::vector<ShardDone> settled_shards();

  /// Counts up in `count`, which outlives it, with each shard that is updated, summed up or hashed. Nothing is under
  /// way.
  void count_progress(std::atomic<std::uint64_t>& count) { pool_.count_progress(count); }

  /// Of step `step`, from 0.
  double learning_rate(std::uint64_t step) const { return options_.learning_rate.at(step); }

  /// Returns when these tensors have their weights of the last `apply`.
  void wait(std::span<const int> tensors) const { updates_.wait(tensors); }
  /// Vectors of moments that the store has.
  int moments() const { return moments_; }
  /// Masters, [plan.parameters]. Read only tensors that were waited for; of a store with pieces, with a WeightReader.
  std::span<const float> parameters() const { return weights_; }
  /// These tensors will be read before long.
  void ahead(std::span<const int> tensors) const;
  /// Of the store; null: all is here always.
  Pieces* pieces() const { return store_->pieces(); }

  /// Whether settle() would not wait.
  bool settled() const noexcept { return updates_.finished(); }
  /// Waits for the last apply; the pass that updated the weights has found it all. Throws as wait().
  Settled settle();

  /// No update has failed or was cut off by a step that did; waits for the last. If not, some weights may be of this
  /// step and some of the one before: there is nothing to be saved.
  bool whole() const;
  /// Waits for the last apply. The first tensor it left weights in that are not below kWeightLimit, in words; nothing
  /// if all are. Such weights are not to be saved. Throws as wait().
  std::optional<std::string> diverged() const;
  /// All tensors up to date and no snapshot under way, for checkpoints and tests; whoever writes the store does so
  /// before the next begin_step.
  ParameterStore& store();
  /// Takes the state as it is, beside what comes after: `take` gets each part of weights (0) and moments (1, 2), as
  /// many as there are, once,
  /// from element `first` of the flat vector on, from several threads; then `end` is called. What they throw, the
  /// snapshot's wait() throws. All up to date and whole; one at a time.
  using Take = std::function<void(int vector, std::uint64_t first, std::span<const float> values)>;
  std::shared_ptr<Snapshot> snapshot(Take take, std::function<void()> end);
  /// Bytes that the sums take or have taken: the most of any step so far.
  std::size_t sum_bytes() const { return sum_.bytes(); }
  /// 64 bits over weights and moments: known since the last apply, unless somebody had the store since then.
  std::uint64_t hash();

 private:
  struct AsItIs {};
  MemoryX(const Plan& plan, MemoryXOptions options, std::unique_ptr<ParameterStore> store, AsItIs /*state*/);
  Applied update(std::uint64_t step, std::uint64_t tokens);
  void begin_update(std::uint64_t step, double mean, const Applied& how);
  /// Whether the update of the step under way may begin before apply().
  bool is_early() const { return ahead_.has_value(); }
  void free(std::span<const int> tensors);
  void check_whole() const;
  Updates::Work shard_work(std::shared_ptr<const OptimizerStep> constants, double mean);
  Updates::Work shard_ahead();

  const Plan& plan_;
  MemoryXOptions options_;
  Pool pool_;  // its failure is this one's
  std::unique_ptr<ParameterStore> store_;
  std::span<const float> weights_;
  int moments_;
  ExactSum sum_;
  ShardPass pass_;
  std::vector<ShardDone> done_;            // [shard] of the last apply
  std::optional<StepAhead> ahead_;         // of a step with early updates, until apply
  Updates::Work early_work_;               // of that step; null: its update has begun
  std::atomic<bool> torn_ = false;         // some weights may be of the step under way
  bool known_ = false;                     // done_ is of the state as it is
  bool dirty_ = false;                     // sums hold an unapplied gradient
  std::vector<std::vector<int>> written_;  // [op]: tensors whose gradients it returns
  Early early_;
  std::shared_ptr<Snapshot> snapshot_;  // that the next update must not overtake; null: none
  std::vector<int> tensors_;            // all
  Updates updates_;                     // last: it ends before what it uses
};

}  // namespace weft
