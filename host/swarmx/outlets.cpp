#include "host/swarmx/outlets.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <utility>

#include "host/memoryx/exact_sum.hpp"
#include "host/memoryx/fixed_point.hpp"
#include "host/memoryx/invariant.hpp"
#include "host/swarmx/contribution.hpp"
#include "host/swarmx/error.hpp"
#include "host/swarmx/loss.hpp"
#include "host/swarmx/payload.hpp"

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

bool Outlets::read(std::size_t most) {
  const Op& op = plan_.ops[next_];
  begin_ += words_.size();
  words_.clear();
  for (; row_ < used_.size(); ++row_, read_ = 0) {
    const std::span<const std::uint32_t> row = wafer_.outlet(static_cast<int>(row_));
    const auto words = row.subspan(used_[row_], std::min(returned(op, row_) - read_, most - words_.size()));
    words_.insert(words_.end(), words.begin(), words.end());
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
    const bool gradient = op.returns == Returns::Gradient;
    const bool last = read(gradient ? kPartValues : std::numeric_limits<std::size_t>::max());
    if (gradient) {
      if (!words_.empty()) out.push_back(gradient_part());
    } else if (op.returns == Returns::Loss) {
      const LossSum loss = loss_of(plan_, words_, sequences_, labels_);
      Frame frame{.type = FrameType::Loss, .op = static_cast<std::uint32_t>(next_)};
      out.push_back(carry(frame, {&micro_batch_, 1}, std::array<std::int64_t, kLossFields>{loss.sum, loss.tokens}));
    } else if (op.returns == Returns::Flags) {
      flags(op);
    }
    if (!last) continue;
    ++next_;
    row_ = read_ = begin_ = 0;
    words_.clear();
  }
  if (more) return true;
  for (std::size_t r = 0; r < used_.size(); ++r) {
    std::vector<std::uint32_t>& words = wafer_.outlet(static_cast<int>(r));
    words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(std::exchange(used_[r], 0)));
  }
  return false;
}

Frame Outlets::gradient_part() {
  Frame frame{.type = FrameType::Gradient,
              .op = static_cast<std::uint32_t>(next_),
              .part = static_cast<std::uint32_t>(begin_ / kPartValues)};
  std::size_t bad = 0;
  carry(frame, {&micro_batch_, 1}, words_.size(),
        [&](std::span<std::int64_t> values) { bad = to_fixed(words_, values); });
  if (bad < words_.size()) {
    const std::uint64_t parameter = GradientOrder(plan_.ops[next_]).parameter(begin_ + bad);
    throw GradientOverflow("the gradient of " + tensor_of(plan_, parameter) + " (" + plan_.ops[next_].name +
                           ") is not a number below 2048. HINT: use a lower learning rate.");
  }
  return frame;
}

void Outlets::flags(const Op& op) const {
  if (std::ranges::all_of(words_, [](std::uint32_t word) { return word == 0; })) return;
  throw SwarmError("the wafer reports an error in " + op.name + ": " + wafer_.flags());
}

}  // namespace weft
