/// One optimizer step in the background: tensors become ready one after the other, in the order the next step streams
/// them, so that its first weights leave while later ones are still being updated.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <span>
#include <thread>
#include <vector>

#include "sw/compiler/plan.hpp"

namespace weft {

class Updates {
 public:
  /// Updates elements [begin, begin + size) of tensor `tensor`, counted in the flat parameter vector. Must not throw.
  using Work = std::function<void(int tensor, std::size_t begin, std::size_t size)>;

  /// `plan` must outlive this. All tensors are ready.
  Updates(const Plan& plan, unsigned threads);
  /// Finishes what was started.
  ~Updates() = default;

  /// Waits for the last step's work and starts `work` on every shard of every tensor.
  void start(Work work);
  /// Returns when the tensors are up to date; what was written to them can then be read.
  void wait(std::span<const int> tensors) const;
  /// Returns when all tensors are.
  void finish();

 private:
  struct Shard {
    int tensor;
    std::size_t begin, size;
  };
  void run();

  unsigned threads_;
  std::vector<Shard> shards_;                // in the order of the stream
  std::vector<int> shards_of_;               // [tensor]
  std::vector<std::atomic<int>> remaining_;  // [tensor]: shards not yet updated
  std::atomic<std::size_t> next_{0};
  Work work_;
  std::vector<std::jthread> workers_;  // last: they end before what they use
};

}  // namespace weft
