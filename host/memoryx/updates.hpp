/// One optimizer step in the background, shard by shard. Of the shards that may be updated, the one that the next step
/// streams first is updated first, so that its first weights can be sent while later ones are still being updated.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "host/memoryx/pool.hpp"
#include "host/memoryx/shards.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::memoryx {

class Updates {
 public:
  /// Updates shard `shard` (shards.hpp) of the flat parameter vector.
  using Work = std::function<void(std::size_t shard)>;

  /// Initially all tensors are up to date. `plan` and `pool` must outlive this. Shards outside `own` are ignored.
  Updates(const compiler::Plan& plan, Pool& pool, const ShardRange& own = {});
  /// Finishes the work that was started.
  ~Updates() { pool_.wait(); }
  Updates(const Updates&) = delete;
  Updates& operator=(const Updates&) = delete;

  /// Waits for the last step's work; then `work` updates the shards of this step, and no tensor is released yet. Throws
  /// as finish(), in which case nothing has begun. `prefetch`, if given, is called for shards that will be updated
  /// soon; it must not throw.
  void begin(Work work, Work prefetch = {});
  /// Permits the update of these tensors, the first in the stream first: each exactly once per step. A shard is updated
  /// as soon as all tensors that it contains a part of are released.
  void release(std::span<const int> tensors) noexcept;

  /// Returns when the tensors are up to date; tensors that were not released count as such. Values written to them can
  /// then be read. Throws the pool's failure.
  void wait(std::span<const int> tensors) const;
  /// Returns when all tensors are up to date. Throws the pool's failure.
  void finish() const { pool_.finish(); }
  /// The shards `own`, in the order in which the stream first reads them.
  const std::vector<std::size_t>& order() const { return order_; }
  /// True if finish() would not wait.
  bool finished() const noexcept { return pool_.idle(); }

 private:
  struct Range {
    std::size_t first = 0, count = 0;
  };
  void run() noexcept;
  bool take(std::size_t& shard) noexcept;
  void prefetch_next(std::size_t shard);
  static constexpr std::size_t kLookahead = 4;  // shards

  Pool& pool_;
  std::vector<std::size_t> place_;            // [shard]: position in the order of the stream
  std::vector<std::size_t> order_;            // [position]: shard
  std::vector<std::vector<int>> tensors_of_;  // [shard]: may be the end of one tensor and the beginning of the next
  std::vector<Range> shards_of_;              // [tensor]
  std::vector<std::atomic<int>> remaining_;   // [tensor]: shards not yet updated
  std::mutex mutex_;                          // guards the next two members
  std::vector<std::size_t> missing_;          // [shard]: number of its tensors that are not released
  std::vector<std::size_t> free_;             // shards that may be updated: a heap, the first in the stream on top
  Work work_, prefetch_;
};

}  // namespace weft::memoryx
