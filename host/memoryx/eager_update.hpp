/// Eager updates: tracks which tensors may be updated before the step is over. A tensor may be updated once its
/// gradient is complete and no later op of the step reads its weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "sw/compiler/plan/plan.hpp"

namespace weft::memoryx {

/// Counts down the step's remaining reads and gradients of each tensor. Reads and gradients may be reported by two
/// threads.
class EagerUpdate {
 public:
  /// `written[op]`: tensors whose gradients the op returns. `words[op]`: gradient words that the op returns per pass.
  /// `written` and `plan` must outlive this.
  EagerUpdate(const compiler::Plan& plan, const std::vector<std::vector<int>>& written, std::vector<std::size_t> words);

  /// Begins a step with so many passes. `free` is called for each tensor whose last read and last gradient word have
  /// arrived, in the thread that reports them, one call at a time. A tensor without a gradient never becomes free.
  void begin(std::uint64_t passes, std::function<void(int tensor)> free);
  /// Stops calling `free`; returns after a call of `free` that is under way.
  void end();
  /// Reports that the step's last read of op's weights is over.
  void read(std::size_t op);
  /// Reports that `words` more words of op's gradient were added to the sums.
  void count_added(std::size_t op, std::size_t words);
  /// Returns the tensors that did not become free, in ascending order; called when the step is over.
  std::vector<int> rest();

 private:
  void done(std::span<const int> tensors);

  const compiler::Plan& plan_;
  const std::vector<std::vector<int>>& written_;
  const std::vector<std::size_t> words_;
  std::vector<int> uses_;  // [tensor]: number of ops that read it plus ops that write it
  std::vector<bool> gets_a_gradient_;
  std::mutex mutex_;  // guards all members below
  std::function<void(int)> free_;
  std::vector<std::uint64_t> left_;  // [op]: gradient words outstanding
  std::vector<int> missing_;         // [tensor]: reads and complete gradients outstanding
};

}  // namespace weft::memoryx
