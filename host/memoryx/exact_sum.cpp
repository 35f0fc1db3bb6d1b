#include "host/memoryx/exact_sum.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "host/memoryx/fixed_point.hpp"
#include "host/memoryx/pages/pinned_pages.hpp"
#include "host/memoryx/shards.hpp"
#include "host/memoryx/square_sum.hpp"
#include "sw/base/exact_math.hpp"
#include "sw/base/invariant.hpp"
#include "sw/base/refusal.hpp"

namespace weft::memoryx {
namespace {

constexpr std::size_t kCounted = std::size_t{1} << 24;  // parameters whose uses are counted in one pass, a byte each

/// Index of the tensor that contains a parameter, which must exist.
std::size_t tensor_at(const compiler::Plan& plan, std::uint64_t parameter) {
  const auto after = std::ranges::upper_bound(plan.tensors, parameter, {}, &compiler::TensorInfo::offset);
  return static_cast<std::size_t>(after - plan.tensors.begin()) - 1;
}

}  // namespace

ExactSum::ExactSum(const compiler::Plan& plan, ParameterStore* store)
    : plan_(plan), sums_(plan.parameters, store), order_(plan.ops.size()), writers_(plan.tensors.size()) {
  for (std::size_t op = 0; op < plan.ops.size(); ++op) {
    if (plan.ops[op].returns != compiler::Returns::Gradient) continue;
    const compiler::StreamDescriptor& descriptor = plan.ops[op].descriptor;
    invariant(compiler::parameters_end(descriptor) <= plan.parameters, "a gradient word belongs to a parameter");
    order_[op] = std::make_unique<compiler::GradientOrder>(plan.ops[op]);
    const auto writes = [&](std::uint64_t offset) { writers_[tensor_at(plan, offset)].push_back(op); };
    for (const std::vector<compiler::StreamDescriptor::Input>& line : descriptor.lines)
      for (const compiler::StreamDescriptor::Input& input : line)
        for (int copy = 0; copy < input.copies.times * descriptor.outputs_copies.times; ++copy) writes(input.offset);
    for (int copy = 0; descriptor.bias && copy < descriptor.outputs_copies.times; ++copy)
      writes(descriptor.bias->offset);
    for (const compiler::StreamDescriptor::Own& own : descriptor.own) writes(own.offset);
  }
  for (const std::vector<std::size_t>& of : writers_) most_uses_ = std::max<std::uint64_t>(most_uses_, of.size());
}

void ExactSum::leave_out(std::span<const std::string> tensors) {
  if (tensors.empty()) return;
  left_out_.clear();
  for (const compiler::TensorInfo& tensor : plan_.tensors)
    left_out_.push_back(std::ranges::find(tensors, tensor.name) != tensors.end());
}

void ExactSum::keep(const ShardRange& own) { own_ = own; }

bool ExactSum::counts(std::uint64_t parameter) const {
  return own_.has(parameter / kShard) && (left_out_.empty() || !left_out_[tensor_at(plan_, parameter)]);
}

/// Largest number of contributions that a parameter of the tensor gets from one micro-batch.
std::uint64_t ExactSum::uses_of(const compiler::TensorInfo& tensor, const std::vector<std::size_t>& writers) const {
  std::uint8_t most = 0;
  for (std::size_t begin = 0; begin < tensor.size; begin += kCounted) {
    const std::size_t size = std::min(kCounted, tensor.size - begin);
    std::vector<std::uint8_t> uses(size);
    for (const std::size_t op : writers) {
      order_[op]->for_each(0, order_[op]->words(), [&](const compiler::GradientOrder::Piece& piece) {
        piece.for_each([&](std::uint64_t parameter, std::size_t /*word*/) {
          const std::uint64_t at = parameter - tensor.offset - begin;
          if (at >= size) return;
          std::uint8_t& own = uses[at];
          invariant(own < 255, "a parameter is used less than 255 times");
          most = std::max(most, ++own);
        });
      });
    }
  }
  return most;
}

std::uint64_t ExactSum::uses() {
  if (uses_) return *uses_;
  uses_ = 1;
  for (std::size_t t = 0; t < writers_.size(); ++t) {
    writers_[t].erase(std::unique(writers_[t].begin(), writers_[t].end()), writers_[t].end());
    uses_ = std::max(*uses_, uses_of(plan_.tensors[t], writers_[t]));
  }
  return *uses_;
}

/// Contributions are counted per parameter only if the cheap bound does not suffice: the count visits every word of all
/// gradients.
void ExactSum::check_range(std::uint64_t micro_batches) {
  const auto groups = static_cast<std::uint64_t>(plan_.wafer.row_groups);  // each group of rows returns a gradient
  const std::uint64_t gradients = micro_batches * groups;
  if (gradients <= kMaxContributions / most_uses_ || gradients <= kMaxContributions / uses()) return;
  throw Refusal(
      "train_input.micro_batch_size",
      "a global batch of " + std::to_string(micro_batches) + " micro-batches may overflow the exact gradient sums",
      "use larger micro-batches, at most " + std::to_string(kMaxContributions / uses() / groups) + " of them");
}

void ExactSum::too_large(std::uint64_t parameter) const {
  throw GradientOverflow("the gradient of " + tensor_of(plan_, parameter) + " is larger than a wafer can return");
}

void ExactSum::add_one(std::uint64_t parameter, std::int64_t value) {
  std::int64_t& sum = sums_[parameter];
  if (__builtin_add_overflow(sum, value, &sum)) [[unlikely]]
    too_large(parameter);
}

/// Adds the values of a piece in which the parameters of some outputs are neighbours: squares of them, for eight
/// elements at a time. Returns false, and adds nothing, for another piece.
bool ExactSum::add_neighbours(const compiler::GradientOrder::Piece& piece, const std::int64_t* values) {
  const bool across = piece.step != 1;  // the neighbours are outputs of successive groups
  const std::size_t size = piece.elements.size(), run = across ? piece.groups : piece.outputs;
  if ((across ? piece.group_step : piece.step) != 1 || run < kSquare) return false;
  const std::size_t stride = across ? piece.outputs * size : size;  // from a neighbour's value to the next one's
  const std::size_t other = across ? size : piece.outputs * size;
  for (std::size_t at = 0; at < (across ? piece.outputs : piece.groups); ++at) {
    const auto first = [&](std::size_t i) { return across ? piece.parameter(i, at, 0) : piece.parameter(i, 0, at); };
    for (std::size_t i = 0; i < size; i += kSquare) {
      const std::size_t some = std::min(kSquare, size - i);
      for (std::size_t n = 0; n < run; n += kSquare) {
        const std::int64_t* const from = values + at * other + n * stride + i;
        const bool whole = some == kSquare && n + kSquare <= run;
        std::array<std::int64_t*, kSquare> to{};
        bool near = whole;
        for (std::size_t k = 0; k < some && near; ++k) {
          const std::uint64_t parameter = first(i + k) + n;
          near = SumShards::are_neighbours(parameter, kSquare);
          if (near) to[k] = &sums_[parameter], sums_.prefetch(parameter + 2 * kSquare);
        }
        if (near) {
          if (!add_square(to, from, stride)) too_large(first(i) + n);
          continue;
        }
        for (std::size_t k = 0; k < some; ++k)
          for (std::size_t m = n; m < std::min(n + kSquare, run); ++m)
            add_one(first(i + k) + m, from[(m - n) * stride + k]);
      }
    }
  }
  return true;
}

/// Adds a piece's values to sums that are all in memory.
void ExactSum::add_resident(const compiler::GradientOrder::Piece& piece, const std::int64_t* values) {
  if (add_neighbours(piece, values + piece.k)) return;
  // Successive sums are often on different pages. Those of the next group or, in a single group, of the output after
  // the next are loaded meanwhile.
  const std::uint64_t ahead = piece.groups > 1 ? piece.group_step : 2 * piece.step;
  piece.for_each([&](std::uint64_t parameter, std::size_t word) {
    sums_.prefetch(parameter + ahead);
    add_one(parameter, values[word]);
  });
}

void ExactSum::add(std::size_t op, std::size_t first, std::span<const std::int64_t> values) {
  invariant(op < order_.size() && order_[op] != nullptr, "only a gradient op returns a gradient");
  invariant(first + values.size() <= order_[op]->words(), "an op returns no more gradients than planned");
  using Piece = compiler::GradientOrder::Piece;
  const bool all = left_out_.empty() && own_.all();
  if (all && sums_.pages() == nullptr)
    return order_[op]->for_each(first, values.size(), [&](const Piece& p) { add_resident(p, values.data()); });
  const auto add_to = [&](const auto& sum_of) {
    order_[op]->for_each(first, values.size(), [&](const Piece& piece) {
      piece.for_each([&](std::uint64_t at, std::size_t word) {
        if (!all && !counts(at)) return;
        std::int64_t& sum = sum_of(at);
        if (__builtin_add_overflow(sum, values[word], &sum)) too_large(at);
      });
    });
  };
  if (sums_.pages() == nullptr) return add_to([&](std::uint64_t i) -> std::int64_t& { return sums_[i]; });
  PinnedPages pinned(sums_.pages(), sums_.pages()->room() / 4, Pages::Use::Change);
  add_to([&, sums = sums_.flat().data()](std::uint64_t i) -> std::int64_t& {
    pinned.pin_one(sums + i);
    return sums[i];
  });
}

void ExactSum::read(std::size_t shard, std::size_t begin, std::span<std::int64_t> to) const {
  Pages* const pages = sums_.pages();
  const std::span<std::int64_t> all = sums_.shard(shard);
  if (all.empty()) {
    std::ranges::fill(to, 0);
    return;
  }
  PinnedPages pinned(
      pages, pages == nullptr ? 0 : pages_of(ParameterStore::kBlock * sizeof(std::int64_t), pages->page_bytes()),
      Pages::Use::Read);
  for (std::size_t at = 0, size = 0; at < to.size(); at += size) {
    size = std::min(ParameterStore::kBlock - (begin + at) % ParameterStore::kBlock, to.size() - at);
    const auto block = all.subspan(begin + at, size);
    pinned.pin(block);
    std::ranges::copy(block, to.begin() + static_cast<std::ptrdiff_t>(at));
  }
}

std::vector<double> ExactSum::squares(double scale, Pool& pool) const {
  Pages* const pages = sums_.pages();
  const std::size_t most =
      pages == nullptr ? 0 : pages_of(ParameterStore::kBlock * sizeof(std::int64_t), pages->page_bytes());
  std::vector<double> shards(shard_count(sums_.size()));
  for_each_shard(sums_.size(), pool, [&](std::size_t begin, std::size_t /*end*/) {
    SquareSum square;
    const std::span<std::int64_t> sums = sums_.shard(begin / kShard);
    PinnedPages pinned(pages, most, Pages::Use::Read);
    for (std::size_t at = 0; at < sums.size(); at += ParameterStore::kBlock) {
      const auto block = sums.subspan(at, std::min(ParameterStore::kBlock, sums.size() - at));
      pinned.pin(block);
      square.add(block, scale);
    }
    shards[begin / kShard] = square.value();
  });
  return shards;
}

double ExactSum::norm(std::span<const double> squares) {
  double total = 0;
  for (const double s : squares) total += s;
  return std::sqrt(total);
}

const std::string& tensor_of(const compiler::Plan& plan, std::uint64_t parameter) {
  static const std::string kNobody = "no tensor";
  for (const compiler::TensorInfo& tensor : plan.tensors) {
    if (parameter >= tensor.offset && parameter - tensor.offset < tensor.size) return tensor.name;
  }
  return kNobody;
}

}  // namespace weft::memoryx
