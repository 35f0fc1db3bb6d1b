/// Which parameter each word of a gradient is of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sw/compiler/plan.hpp"

namespace weft {

/// Words are counted over all rows, row after row; of a row in the order its outlet delivers them. Used by one thread
/// at a time.
class GradientOrder {
 public:
  /// `op`, which returns a gradient or logits, must outlive this.
  explicit GradientOrder(const Op& op);

  std::size_t words() const { return row_begin_.back(); }

  /// Calls `work(taps, further, k)` for consecutive pieces of words first .. first + count - 1: taps[i].source +
  /// further is the parameter of word first + k + i. Words must be there.
  using Work = std::function<void(std::span<const Tap> taps, std::uint64_t further, std::size_t k)>;
  void for_each(std::size_t first, std::size_t count, const Work& work);
  /// Of one word.
  std::uint64_t parameter(std::size_t word);

 private:
  static constexpr std::size_t kFar = std::size_t{1} << 15;  ///< words between marks
  struct Mark {
    std::size_t word;  ///< the first of the line
    SweepReader::Place place;
  };

  SweepReader reader_;
  std::vector<std::size_t> row_begin_;    // [row + 1]
  std::vector<std::vector<Mark>> marks_;  // [row]
  std::vector<Tap> taps_;
};

/// [row][k]: the parameter of the k-th word of row r's outlet. Of an op that returns a gradient or logits.
std::vector<std::vector<std::uint64_t>> gradient_parameters(const Op& op);

/// Behind the last parameter that a sweep can have, whatever its mask; the largest number there is, if that is none.
std::uint64_t parameters_end(const Sweep& sweep);

/// The tensors that a sweep has parameters of, in their order.
std::vector<int> tensors_of(const Sweep& sweep, std::span<const TensorInfo> tensors);

}  // namespace weft
