/// One optimizer step in the background: shard by shard, in the order the next step streams them, so that its first
/// weights leave while later ones are still being updated.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "host/memoryx/pool.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

class Updates {
 public:
  /// Updates shard `shard` (shards.hpp) of the flat parameter vector.
  using Work = std::function<void(std::size_t shard)>;

  /// All tensors are ready. `plan` and `pool` must outlive this.
  Updates(const Plan& plan, Pool& pool);
  /// Finishes what was started.
  ~Updates() { pool_.wait(); }
  Updates(const Updates&) = delete;
  Updates& operator=(const Updates&) = delete;

  /// Waits for the last step's work and starts `work` on every shard. Throws as finish(), and nothing has begun then.
  void start(Work work);
  /// Returns when the tensors are up to date; what was written to them can then be read. Throws the pool's failure.
  void wait(std::span<const int> tensors) const;
  /// Returns when all tensors are. Throws the pool's failure.
  void finish() const { pool_.finish(); }
  /// Whether finish() would not wait.
  bool finished() const noexcept { return pool_.idle(); }

 private:
  void run() noexcept;

  Pool& pool_;
  std::vector<std::size_t> shards_;           // in the order of the stream
  std::vector<std::vector<int>> tensors_of_;  // [shard]: a shard may have the end of one and the beginning of the next
  std::vector<int> shards_of_;                // [tensor]
  std::vector<std::atomic<int>> remaining_;   // [tensor]: shards not yet updated
  std::atomic<std::size_t> next_{0};
  Work work_;
};

}  // namespace weft
