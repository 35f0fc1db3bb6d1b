/// The global batch's gradient: one 64-bit fixed-point sum per parameter (fixed_point.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "host/memoryx/pool.hpp"
#include "host/memoryx/sum_shards.hpp"
#include "sw/compiler/plan/plan.hpp"
#include "sw/compiler/stream/gradient_order.hpp"

namespace weft::memoryx {

class ExactSum {
 public:
  /// All sums are zero; they are part of the store if the store has pages. `plan` and `store` must outlive this.
  explicit ExactSum(const compiler::Plan& plan, ParameterStore* store = nullptr);
  /// Discards all further gradients of these tensors.
  void leave_out(std::span<const std::string> tensors);
  /// Discards all further gradients outside these shards.
  void keep(const ShardRange& own);

  /// Throws Refusal if a step of that many micro-batches might overflow the sums.
  void check_range(std::uint64_t micro_batches);

  /// Adds values of op's gradient, from word `first` on; words are numbered over all rows, row after row. Throws
  /// GradientOverflow if a sum would wrap, which values sent by wafers cannot cause (check_range).
  void add(std::size_t op, std::size_t first, std::span<const std::int64_t> values);

  /// Reads sums `begin`, `begin` + 1, ... of shard `shard` (shards.hpp).
  void read(std::size_t shard, std::size_t begin, std::span<std::int64_t> to) const;

  /// [shard]: the sum of (sum * scale)^2. The order of summation is fixed.
  std::vector<double> squares(double scale, Pool& pool) const;
  /// Square root of the sum of `squares`.
  static double norm(std::span<const double> squares);

  /// Number of words of op's gradient, over all rows.
  std::size_t words(std::size_t op) const { return order_[op] == nullptr ? 0 : order_[op]->words(); }
  SumShards& sums() { return sums_; }
  std::size_t bytes() const { return sums_.bytes(); }

 private:
  bool counts(std::uint64_t parameter) const;
  void add_one(std::uint64_t parameter, std::int64_t value);
  void add_resident(const compiler::GradientOrder::Piece& piece, const std::int64_t* values);
  bool add_neighbours(const compiler::GradientOrder::Piece& piece, const std::int64_t* values);
  [[noreturn]] void too_large(std::uint64_t parameter) const;
  std::uint64_t uses_of(const compiler::TensorInfo& tensor, const std::vector<std::size_t>& writers) const;
  std::uint64_t uses();

  const compiler::Plan& plan_;
  SumShards sums_;                                               // [plan.parameters]
  std::vector<std::unique_ptr<compiler::GradientOrder>> order_;  // [op]; null: the op returns no gradient
  std::vector<bool> left_out_;                                   // [tensor]; empty: no tensor is left out
  ShardRange own_;
  std::vector<std::vector<std::size_t>> writers_;  // [tensor]: ops with a gradient for it, once per input and copy
  std::uint64_t most_uses_ = 1;                    // upper bound of contributions to a parameter from one micro-batch
  std::optional<std::uint64_t> uses_;              // the exact maximum; empty: not counted yet
};

/// Name of the tensor that contains a parameter.
const std::string& tensor_of(const compiler::Plan& plan, std::uint64_t parameter);

}  // namespace weft::memoryx
