/// Order of a row's numbered weights in a line of interleaved outputs (docs/explanation/short_vectors.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft::compiler {

/// Finds the order in which a row's weights name their sums.
///
/// The first round names each of `each` sums once, in order. Behind it, two weights of a sum are at least `apart`
/// messages from each other as far as possible, and fuller sums come first, so that their weights do not remain for the
/// end. The order depends on these numbers alone.
class SumOrder {
 public:
  /// First round of a line: only in rows with weights; in all rows, because further lines are added to the same sums;
  /// or none, because a line before has begun the sums.
  enum class Begin : std::uint8_t { WithWeights, Always, Never };

  static constexpr int kMostSums = 16;  ///< numbers that fit an index
  static constexpr int kBits = 4;

  /// `weights`: for each output of the line, at most `each`.
  const std::vector<std::uint8_t>& of(std::span<const std::size_t> weights, std::size_t each, std::size_t apart,
                                      Begin begin = Begin::WithWeights);

  /// Number of messages of a row: its weights and, in the first round, a pad for each sum without one.
  static std::size_t count(std::span<const std::size_t> weights, std::size_t each, Begin begin = Begin::WithWeights);

 private:
  void spread(std::size_t rounds);
  void fullest_first(std::size_t apart);

  std::vector<std::uint8_t> order_;
  std::vector<std::size_t> left_, due_, ready_;  // [sum]
};

}  // namespace weft::compiler
