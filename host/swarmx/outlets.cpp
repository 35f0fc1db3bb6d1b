#include "host/swarmx/outlets.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "host/memoryx/exact_sum.hpp"
#include "host/memoryx/fixed_point.hpp"
#include "host/memoryx/invariant.hpp"
#include "host/swarmx/contribution.hpp"
#include "host/swarmx/error.hpp"
#include "host/swarmx/loss.hpp"
#include "host/swarmx/payload.hpp"
#include "host/swarmx/round_returns.hpp"

namespace weft {

std::size_t returned(const Op& op, std::size_t row) { return row < op.returned.size() ? op.returned[row] : 0; }

Outlets::Outlets(const Plan& plan, Wafer& wafer, std::vector<std::uint64_t> delivered)
    : plan_(plan), wafer_(wafer), totals_(std::move(delivered)), used_(static_cast<std::size_t>(plan.wafer.rows)) {
  totals_.resize(used_.size());
}

void Outlets::begin(std::size_t ops, int sequences, std::uint32_t micro_batch, std::vector<TokenId> labels) {
  invariant(complete(), "a micro-batch begins after the last one returned everything");
  next_ = 0;
  ops_ = ops;
  sequences_ = sequences;
  micro_batch_ = micro_batch;
  labels_ = std::move(labels);
  for (std::size_t op = 0; op < ops; ++op) {
    for (std::size_t r = 0; r < totals_.size(); ++r) totals_[r] += returned(plan_.ops[op], r);
  }
}

bool Outlets::arrived(const Op& op) const {
  for (std::size_t r = row_; r < used_.size(); ++r) {
    const std::size_t read = r == row_ ? read_ : 0;
    if (wafer_.outlet(static_cast<int>(r)).size() - used_[r] < returned(op, r) - read) return false;
  }
  return true;
}

bool Outlets::read(std::span<std::uint32_t> to) {
  const Op& op = plan_.ops[next_];
  for (; row_ < used_.size(); ++row_, read_ = 0) {
    const std::span<const std::uint32_t> row = wafer_.outlet(static_cast<int>(row_));
    const auto words = row.subspan(used_[row_], std::min(returned(op, row_) - read_, to.size()));
    std::ranges::copy(words, to.begin());
    to = to.subspan(words.size());
    used_[row_] += words.size();
    read_ += words.size();
    if (read_ < returned(op, row_)) return false;
  }
  return true;
}

bool Outlets::take(std::vector<Frame>& out) {
  const std::size_t first = out.size();
  bool more = false;
  while (next_ < ops_ && arrived(plan_.ops[next_])) {
    more = out.size() - first >= kTogether;
    if (more) break;
    const Op& op = plan_.ops[next_];
    bool last = true;
    if (op.returns == Returns::Gradient) {
      last = gradient_part(out);
    } else {
      std::vector<std::uint32_t> words(std::accumulate(op.returned.begin(), op.returned.end(), std::size_t{0}));
      read(words);
      if (op.returns == Returns::Flags) flags(op, words);
      if (op.returns == Returns::Loss) {
        const LossSum loss = loss_of(plan_, words, sequences_, labels_);
        Frame frame{.type = FrameType::Loss, .op = static_cast<std::uint32_t>(next_)};
        out.push_back(carry(frame, {&micro_batch_, 1}, std::array<std::int64_t, kLossFields>{loss.sum, loss.tokens}));
      }
    }
    if (!last) continue;
    ++next_;
    row_ = read_ = begin_ = 0;
  }
  if (more) return true;
  for (std::size_t r = 0; r < used_.size(); ++r) {
    std::vector<std::uint32_t>& words = wafer_.outlet(static_cast<int>(r));
    words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(std::exchange(used_[r], 0)));
  }
  return false;
}

bool Outlets::gradient_part(std::vector<Frame>& out) {
  const Op& op = plan_.ops[next_];
  Frame frame{.type = FrameType::Gradient,
              .op = static_cast<std::uint32_t>(next_),
              .part = static_cast<std::uint32_t>(begin_ / kPartValues)};
  const std::size_t size = std::min(kPartValues, gradient_words(op) - begin_);
  bool last = true;
  std::size_t bad = 0;
  carry_words(frame, micro_batch_, size, [&](std::span<std::uint32_t> words) {
    last = read(words);
    bad = first_unfixed(words);
  });
  if (bad < size) {
    const std::uint64_t parameter = GradientOrder(op).parameter(begin_ + bad);
    throw GradientOverflow("the gradient of " + tensor_of(plan_, parameter) + " (" + op.name +
                           ") is not a number below 2048. HINT: use a lower learning rate.");
  }
  begin_ += size;
  if (size > 0) out.push_back(std::move(frame));
  return last;
}

void Outlets::flags(const Op& op, std::span<const std::uint32_t> words) const {
  if (std::ranges::all_of(words, [](std::uint32_t word) { return word == 0; })) return;
  throw SwarmError("the wafer reports an error in " + op.name + ": " + wafer_.flags());
}

}  // namespace weft
