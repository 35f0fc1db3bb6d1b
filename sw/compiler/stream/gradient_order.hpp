/// Mapping from the words of a gradient to parameters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sw/compiler/model/tensors.hpp"
#include "sw/compiler/stream/op.hpp"

namespace weft::compiler {

/// Words are numbered over all rows, row after row; within a row in the order its outlet delivers them. Not
/// thread-safe.
class GradientOrder {
 public:
  /// `op`, which returns a gradient or logits, must outlive this.
  explicit GradientOrder(const Op& op);

  std::size_t words() const { return row_begin_.back(); }

  /// Words of consecutive outputs that have the same elements, in groups of `outputs`: word k + (g * outputs + j) *
  /// elements.size() + i is parameter(i, j, g).
  struct Piece {
    std::span<const Element> elements;
    std::uint64_t further = 0, step = 0, group_step = 0;  ///< modulo 2^64
    std::size_t outputs = 0, groups = 0;
    std::size_t k = 0;
    std::uint64_t parameter(std::size_t i, std::size_t j, std::size_t g) const {
      return elements[i].source + further + j * step + g * group_step;
    }
    /// Calls work(parameter, word) for all words, in order.
    template <class F>
    void for_each(const F& work) const {
      std::size_t word = k;
      for (std::size_t g = 0; g < groups; ++g)
        for (std::size_t j = 0; j < outputs; ++j)
          for (std::size_t i = 0; i < elements.size(); ++i) work(parameter(i, j, g), word++);
    }
  };
  /// Calls `work` for consecutive pieces of words first .. first + count - 1; a piece's k counts from `first`. Throws
  /// std::out_of_range if there are fewer words.
  using Work = std::function<void(const Piece&)>;
  void for_each(std::size_t first, std::size_t count, const Work& work);
  /// The parameter of one word.
  std::uint64_t parameter(std::size_t word);

 private:
  static constexpr std::size_t kFar = std::size_t{1} << 15;  ///< words between marks
  struct Mark {
    std::size_t word;  ///< the first of the line
    StreamReader::Place place;
  };

  StreamReader reader_;
  std::vector<std::size_t> row_begin_;    // [row + 1]
  std::vector<std::vector<Mark>> marks_;  // [row]
  std::vector<Element> elements_;
};

/// [row][k]: the parameter of the k-th word of the row's outlet. `op` must return a gradient or logits.
std::vector<std::vector<std::uint64_t>> gradient_parameters(const Op& op);

/// One past the last parameter that a descriptor can have under any mask; the largest number if it would exceed that.
std::uint64_t parameters_end(const StreamDescriptor& descriptor);

/// The tensors whose parameters a descriptor has, in ascending order.
std::vector<int> tensors_of(const StreamDescriptor& descriptor, std::span<const TensorInfo> tensors);

}  // namespace weft::compiler
