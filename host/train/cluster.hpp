/// The cluster of a training run: MemoryX, SwarmX and the wafers, which stream one plan.
#pragma once

#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "host/config/config.hpp"
#include "host/data/data.hpp"
#include "host/memoryx/memoryx.hpp"
#include "host/ranks/run_context.hpp"
#include "host/swarmx/memory/ranks.hpp"
#include "host/swarmx/root/swarm.hpp"

namespace weft::train {

/// Starts MemoryX and the swarm, and restarts them after a failed step or with another plan. MemoryX is in this process
/// or in ranks of its own (memoryx.ranks). Thread-safety: status() may be called from any thread.
class Cluster {
 public:
  struct Options {
    swarmx::MakeWafer make_wafer;
    swarmx::GetBatch get_batch;
    std::unique_ptr<memoryx::ParameterStore> store;  ///< null: in DRAM
    ranks::RunContext context;
    std::shared_ptr<swarmx::StepClock> clock;
  };
  /// Creates MemoryX and starts the wafers. `config`, `plan` and `data` must outlive this. Throws Refusal.
  Cluster(const config::Config& config, const compiler::Plan& plan, const data::TrainingData& data, Options options);

  /// The plan that the wafers stream now.
  const compiler::Plan& plan() const { return *plan_; }
  /// True if plan() returns the gradients of all weights, including pruned ones.
  bool has_dense_gradients() const { return dense_gradients_; }
  /// Recreates everything that depends on the plan, except the swarm: start_swarm() must follow. The state is kept,
  /// except weights pruned by the new plan's masks. Requires MemoryX in this process.
  void replace_plan(compiler::Plan plan, bool dense_gradients = false);

  /// Starts a swarm, in place of the current one if there is one: the wafers of a failed step cannot be reused.
  void start_swarm();
  swarmx::Swarm& swarm() { return *swarm_; }

  swarmx::MemoryXClient& memory() { return *memory_; }
  /// The MemoryX in this process; only if MemoryX has no ranks of its own.
  memoryx::MemoryX& memoryx() { return *memoryx_; }
  /// As above; null if MemoryX has ranks of its own.
  const memoryx::MemoryX* own_memoryx() const { return memoryx_.get(); }
  /// The pages of MemoryX in this process; null: there are none.
  const memoryx::Pages* pages() const { return memoryx_ ? memoryx_->pages() : nullptr; }
  /// True if the state of MemoryX is complete. False after a failed replace_plan().
  bool memory_is_whole() const { return memory_ != nullptr && memory_->is_consistent(); }

  /// The current tasks of all members. From any thread.
  swarmx::SwarmStatus status() const;
  /// MemoryRanks::left_by; empty: there are no MemoryX ranks.
  std::string leaving_memory_rank() const { return memory_ranks_ != nullptr ? memory_ranks_->left_by() : ""; }

 private:
  void start_memory(std::unique_ptr<memoryx::ParameterStore> store);
  void end_swarm();

  const config::Config& config_;
  std::unique_ptr<const compiler::Plan> own_plan_;  // plan of the last replace_plan(); null: none yet
  const compiler::Plan* plan_;
  const data::TrainingData& data_;
  const swarmx::MakeWafer make_wafer_;
  const swarmx::GetBatch get_batch_;
  const ranks::RunContext context_;
  // null: separate ranks hold it, or replace_plan() had no room for a new one
  std::unique_ptr<memoryx::MemoryX> memoryx_;
  std::unique_ptr<swarmx::MemoryXClient> memory_;  // wraps memoryx_, or is the ranks; null: as above
  swarmx::MemoryRanks* memory_ranks_ = nullptr;    // memory_, if it is the ranks; null: there are none
  /// Wafers that one swarm keeps for the next.
  const std::shared_ptr<swarmx::WaferCache> wafer_cache_ = std::make_shared<swarmx::WaferCache>();
  const std::shared_ptr<swarmx::StepClock> clock_;
  mutable std::mutex swarm_changes_;  // held to replace swarm_, and to read it from another thread
  std::optional<swarmx::Swarm> swarm_;
  int awaited_ = 0;                     // wafers of other processes that reconnect to the next swarm; 0: all
  std::set<std::string> reconnecting_;  // names of the members, of any role, that reconnect
  bool dense_gradients_ = false;
};

}  // namespace weft::train
