/// One optimizer step in the background: shard by shard, and of those that may be updated the one that the next step
/// streams first, so that its first weights leave while later ones are still being updated.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "host/memoryx/pool.hpp"
#include "host/memoryx/shards.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

class Updates {
 public:
  /// Updates shard `shard` (shards.hpp) of the flat parameter vector.
  using Work = std::function<void(std::size_t shard)>;

  /// All tensors are ready. `plan` and `pool` must outlive this. Shards that are not of `own` are nobody's here.
  Updates(const Plan& plan, Pool& pool, const ShardRange& own = {});
  /// Finishes what was started.
  ~Updates() { pool_.wait(); }
  Updates(const Updates&) = delete;
  Updates& operator=(const Updates&) = delete;

  /// Waits for the last step's work. From now on `work` is that of this step, and no tensor is released. Throws as
  /// finish(), and nothing has begun then.
  /// `ahead`, if there is one, is told of shards that are updated before long; it must not throw.
  void begin(Work work, Work ahead = {});
  /// The tensors may be updated, the first in the stream first: each once a step. A shard is, as soon as all tensors it
  /// has a part of may be.
  void release(std::span<const int> tensors) noexcept;

  /// Returns when the tensors are up to date, which those not released are; what was written to them can then be read.
  /// Throws the pool's failure.
  void wait(std::span<const int> tensors) const;
  /// Returns when all tensors are. Throws the pool's failure.
  void finish() const { pool_.finish(); }
  /// Its own shards, as the stream first reads them.
  const std::vector<std::size_t>& order() const { return order_; }
  /// Whether finish() would not wait.
  bool finished() const noexcept { return pool_.idle(); }

 private:
  struct Range {
    std::size_t first = 0, count = 0;
  };
  void run() noexcept;
  bool take(std::size_t& shard) noexcept;
  void look_ahead(std::size_t shard);
  static constexpr std::size_t kAhead = 4;  // shards

  Pool& pool_;
  std::vector<std::size_t> place_;            // [shard] in the order of the stream
  std::vector<std::size_t> order_;            // the same: [place] shard
  std::vector<std::vector<int>> tensors_of_;  // [shard]: it may have the end of one and the beginning of the next
  std::vector<Range> shards_of_;              // [tensor]
  std::vector<std::atomic<int>> remaining_;   // [tensor]: shards not yet updated
  std::mutex mutex_;                          // of the next two
  std::vector<std::size_t> missing_;          // [shard]: its tensors that are not released
  std::vector<std::size_t> free_;             // shards that may be updated: a heap, the first in the stream on top
  Work work_, ahead_;
};

}  // namespace weft
