#include "host/swarmx/outlets.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "host/memoryx/exact_sum.hpp"
#include "host/memoryx/fixed_point.hpp"
#include "host/memoryx/invariant.hpp"
#include "host/swarmx/error.hpp"
#include "host/swarmx/loss.hpp"
#include "host/swarmx/payload.hpp"
#include "sw/compiler/sweep_counts.hpp"

namespace weft {

std::size_t returned(const Op& op, std::size_t row) { return row < op.returned.size() ? op.returned[row] : 0; }

Outlets::Outlets(const Plan& plan, Wafer& wafer)
    : plan_(plan),
      wafer_(wafer),
      totals_(static_cast<std::size_t>(plan.wafer.rows)),
      used_(static_cast<std::size_t>(plan.wafer.rows)) {
  for (const Op& op : plan.ops) {
    if (op.returns != Returns::Gradient) continue;
    const std::vector<std::uint32_t> planned = SweepCounts(op.sweep).taps;
    invariant(std::ranges::equal(planned, op.returned), "a gradient op returns one word per index");
  }
}

void Outlets::begin(std::size_t ops, int sequences) {
  invariant(complete(), "a micro-batch begins after the last one returned everything");
  next_ = 0;
  ops_ = ops;
  sequences_ = sequences;
  for (std::size_t op = 0; op < ops; ++op) {
    for (std::size_t r = 0; r < totals_.size(); ++r) totals_[r] += returned(plan_.ops[op], r);
  }
}

bool Outlets::arrived(const Op& op) {
  for (std::size_t r = 0; r < used_.size(); ++r) {
    if (wafer_.outlet(static_cast<int>(r)).size() - used_[r] < returned(op, r)) return false;
  }
  words_.clear();
  for (std::size_t r = 0; r < used_.size(); ++r) {
    const std::span<const std::uint32_t> row = wafer_.outlet(static_cast<int>(r));
    const auto words = row.subspan(used_[r], returned(op, r));
    words_.insert(words_.end(), words.begin(), words.end());
    used_[r] += words.size();
  }
  return true;
}

void Outlets::take(std::vector<Frame>& out) {
  for (; next_ < ops_ && arrived(plan_.ops[next_]); ++next_) {
    const Op& op = plan_.ops[next_];
    const auto index = static_cast<std::uint32_t>(next_);
    if (op.returns == Returns::Gradient) {
      gradient(index, out);
    } else if (op.returns == Returns::Loss) {
      const LossSum loss = loss_of(plan_, words_, sequences_);
      Frame frame{.type = FrameType::Loss, .op = index};
      out.push_back(frame.carry(encode_integers(std::vector<std::int64_t>{loss.sum, loss.tokens})));
    } else if (op.returns == Returns::Flags) {
      flags(op);
    }
  }
  for (std::size_t r = 0; r < used_.size(); ++r) {
    std::vector<std::uint32_t>& words = wafer_.outlet(static_cast<int>(r));
    words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(std::exchange(used_[r], 0)));
  }
}

void Outlets::gradient(std::uint32_t op, std::vector<Frame>& out) const {
  std::vector<std::int64_t> fixed;
  for (std::size_t begin = 0, part = 0; begin < words_.size(); begin += kPartValues, ++part) {
    const auto words = std::span(words_).subspan(begin, std::min(kPartValues, words_.size() - begin));
    fixed.resize(words.size());
    const std::size_t bad = to_fixed(words, fixed);
    if (bad < words.size()) {
      const std::uint64_t parameter = GradientOrder(plan_.ops[op]).parameter(begin + bad);
      throw GradientOverflow("the gradient of " + tensor_of(plan_, parameter) + " (" + plan_.ops[op].name +
                             ") is not a number below 2048. HINT: use a lower learning rate.");
    }
    Frame frame{.type = FrameType::Gradient, .op = op, .part = static_cast<std::uint32_t>(part)};
    out.push_back(frame.carry(encode_integers(fixed)));
  }
}

void Outlets::flags(const Op& op) const {
  if (std::ranges::all_of(words_, [](std::uint32_t word) { return word == 0; })) return;
  throw SwarmError("the wafer reports an error in " + op.name + ": " + wafer_.flags());
}

}  // namespace weft
