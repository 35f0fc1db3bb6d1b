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
#include "sw/compiler/gradient_order.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

class ExactSum {
 public:
  /// Zeros, which the store has if it has pieces. `plan` and `store` must outlive this.
  explicit ExactSum(const Plan& plan, ParameterStore* store = nullptr);
  /// What comes of these tensors' gradients from now on is not added to anything.
  void leave_out(std::span<const std::string> tensors);
  /// The same of what is not of these shards.
  void keep(const ShardRange& own);

  /// Throws Refusal if a step of so many micro-batches might leave the range of the sums.
  void check_range(std::uint64_t micro_batches);

  /// Adds values of op's gradient, from word `first` on; words are counted over all rows, row after row.
  /// Throws GradientOverflow if a sum would wrap: values that wafers sent cannot do that (check_range).
  void add(std::size_t op, std::size_t first, std::span<const std::int64_t> values);

  /// Sums `begin`, `begin` + 1, ... of shard `shard` (shards.hpp).
  void read(std::size_t shard, std::size_t begin, std::span<std::int64_t> to) const;

  /// [shard]: the sum of (sum * scale)^2, in an order that depends on nothing.
  std::vector<double> squares(double scale, Pool& pool) const;
  /// Square root of the sum of those.
  static double norm(std::span<const double> squares);

  /// Words of op's gradient, over all rows.
  std::size_t words(std::size_t op) const { return order_[op] == nullptr ? 0 : order_[op]->words(); }
  SumShards& sums() { return sums_; }
  std::size_t bytes() const { return sums_.bytes(); }

 private:
  bool counts(std::uint64_t parameter) const;
  std::uint64_t uses_of(const TensorInfo& tensor, const std::vector<std::size_t>& writers) const;
  std::uint64_t uses();

  const Plan& plan_;
  SumShards sums_;                                     // [plan.parameters]
  std::vector<std::unique_ptr<GradientOrder>> order_;  // [op], of those that return a gradient
  std::vector<bool> left_out_;                         // [tensor]; empty: none is
  ShardRange own_;
  std::vector<std::vector<std::size_t>> writers_;  // [tensor]: ops that return gradients of it, once for each input
  std::uint64_t most_uses_ = 1;                    // contributions a parameter gets from one micro-batch, at most
  std::optional<std::uint64_t> uses_;              // of the parameter that gets most; null: not counted yet
};

/// Name of the tensor that holds a parameter.
const std::string& tensor_of(const Plan& plan, std::uint64_t parameter);

}  // namespace weft
