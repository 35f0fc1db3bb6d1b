#include "host/memoryx/exact_sum.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "host/memoryx/fixed_point.hpp"
#include "host/memoryx/invariant.hpp"
#include "host/memoryx/shards.hpp"
#include "host/memoryx/square_sum.hpp"
#include "sw/base/refusal.hpp"

namespace weft {

ExactSum::ExactSum(const Plan& plan) : plan_(plan), sums_(plan.parameters), row_begin_(plan.ops.size()) {
  std::vector<std::uint8_t> uses(plan.parameters);
  for (std::size_t op = 0; op < plan.ops.size(); ++op) {
    if (plan.ops[op].returns != Returns::Gradient) continue;
    row_begin_[op].push_back(0);
    for (const std::vector<std::uint32_t>& row : plan.ops[op].gradient) {
      row_begin_[op].push_back(row_begin_[op].back() + row.size());
      for (const std::uint32_t parameter : row) {
        invariant(parameter < plan.parameters, "a gradient word belongs to a parameter");
        invariant(uses[parameter] < 255, "a parameter is used less than 255 times");
        uses_ = std::max<std::uint64_t>(uses_, ++uses[parameter]);
      }
    }
  }
}

void ExactSum::check_range(std::uint64_t micro_batches) const {
  if (micro_batches <= kMaxContributions / uses_) return;
  throw Refusal(
      "train_input.micro_batch_size",
      "a global batch of " + std::to_string(micro_batches) + " micro-batches may overflow the exact gradient sums",
      "use larger micro-batches, at most " + std::to_string(kMaxContributions / uses_) + " of them");
}

void ExactSum::add(std::size_t op, std::size_t first, std::span<const std::int64_t> values) {
  invariant(op < row_begin_.size() && !row_begin_[op].empty(), "only a gradient op returns a gradient");
  const std::vector<std::size_t>& begin = row_begin_[op];
  invariant(first + values.size() <= begin.back(), "an op returns no more gradients than planned");
  auto row = static_cast<std::size_t>(std::ranges::upper_bound(begin, first) - begin.begin()) - 1;
  while (!values.empty()) {
    const std::size_t count = std::min(values.size(), begin[row + 1] - first);
    const std::uint32_t* index = plan_.ops[op].gradient[row].data() + (first - begin[row]);
    for (std::size_t k = 0; k < count; ++k) {
      std::int64_t& sum = sums_[index[k]];
      if (__builtin_add_overflow(sum, values[k], &sum))
        throw GradientOverflow("the gradient of " + tensor_of(plan_, index[k]) + " is larger than wafers can make it");
    }
    values = values.subspan(count);
    first += count;
    ++row;
  }
}

double ExactSum::norm(double scale, Pool& pool) const {
  std::vector<double> shards(shard_count(sums_.size()));
  for_each_shard(sums_.size(), pool, [&](std::size_t begin, std::size_t /*end*/) {
    SquareSum square;
    square.add(sums_.shard(begin / kShard), scale);
    shards[begin / kShard] = square.value();
  });
  double total = 0;
  for (const double s : shards) total += s;
  return std::sqrt(total);
}

const std::string& tensor_of(const Plan& plan, std::uint32_t parameter) {
  static const std::string kNobody = "no tensor";
  for (const TensorInfo& tensor : plan.tensors) {
    if (parameter >= tensor.offset && parameter - tensor.offset < tensor.size) return tensor.name;
  }
  return kNobody;
}

}  // namespace weft
