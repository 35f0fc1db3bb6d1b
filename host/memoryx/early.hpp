/// Which tensors of a step may be updated before the step is over: those whose gradients are complete, and whose
/// weights nothing of the step reads any more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "sw/compiler/plan.hpp"

namespace weft {

/// Counts a step's reads and gradients of each tensor down. Reads and gradients may come from two threads.
class Early {
 public:
  /// `written`: [op]: tensors whose gradients it returns; `words`: [op]: so many words in a round. Both and `plan` must
  /// outlive this.
  Early(const Plan& plan, const std::vector<std::vector<int>>& written, std::vector<std::size_t> words);

  /// A step of `rounds` rounds begins; `free` is called for each tensor whose last read and last gradient have come, in
  /// the thread that they come in, one at a time. A tensor that gets no gradient is never free.
  void begin(std::uint64_t rounds, std::function<void(int tensor)> free);
  /// No tensor becomes free any more; returns when none does just now.
  void end();
  /// The step's last read of op's weights is over.
  void read(std::size_t op);
  /// `words` more words of op's gradient are in the sums.
  void added(std::size_t op, std::size_t words);
  /// The tensors that were not free, in order: the step is over.
  std::vector<int> rest();

 private:
  void done(std::span<const int> tensors);

  const Plan& plan_;
  const std::vector<std::vector<int>>& written_;
  const std::vector<std::size_t> words_;
  std::vector<int> uses_;  // [tensor]: ops that read it, and ops that write it
  std::vector<bool> gets_a_gradient_;
  std::mutex mutex_;  // of the rest
  std::function<void(int)> free_;
  std::vector<std::uint64_t> left_;  // [op]: words to come
  std::vector<int> missing_;         // [tensor]: reads and complete gradients to come
};

}  // namespace weft
