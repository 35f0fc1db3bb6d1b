#include "host/swarmx/tree/contribution_builder.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <utility>

#include "host/memoryx/exact_sum.hpp"
#include "host/memoryx/fixed_point.hpp"
#include "host/swarmx/base/error.hpp"
#include "host/swarmx/protocol/contribution.hpp"
#include "host/swarmx/protocol/loss.hpp"
#include "host/swarmx/protocol/pass_returns.hpp"
#include "host/swarmx/protocol/payload.hpp"
#include "sw/base/invariant.hpp"

namespace weft::swarmx {

std::size_t returned(const compiler::Op& op, std::size_t row) {
  return row < op.returned.size() ? op.returned[row] : 0;
}

ContributionBuilder::ContributionBuilder(const compiler::Plan& plan, Wafer& wafer, std::vector<std::uint64_t> delivered,
                                         int first_row)
    : plan_(plan),
      wafer_(wafer),
      first_row_(first_row),
      totals_(std::move(delivered)),
      used_(static_cast<std::size_t>(plan.wafer.rows)),
      read_(used_.size()) {
  totals_.resize(used_.size());
}

void ContributionBuilder::begin(std::size_t ops, int sequences, std::uint32_t micro_batch,
                                std::vector<TokenId> labels) {
  invariant(complete(), "a micro-batch begins after the last one returned everything");
  next_ = losses_ = 0;
  ops_ = ops;
  sequences_ = sequences;
  micro_batch_ = micro_batch;
  labels_ = std::move(labels);
  for (std::size_t op = 0; op < ops; ++op) {
    for (std::size_t r = 0; r < totals_.size(); ++r) totals_[r] += returned(plan_.ops[op], r);
  }
}

bool ContributionBuilder::arrived(const compiler::Op& op) const {
  for (std::size_t r = 0; r < used_.size(); ++r)
    if (outlet(r).size() - used_[r] < returned(op, r)) return false;
  return true;
}

std::vector<std::uint32_t> ContributionBuilder::read() {
  const compiler::Op& op = plan_.ops[next_];
  std::vector<std::uint32_t> words;
  words.reserve(std::accumulate(op.returned.begin(), op.returned.end(), std::size_t{0}));
  for (std::size_t r = 0; r < used_.size(); ++r) {
    const auto first = outlet(r).begin() + static_cast<std::ptrdiff_t>(used_[r]);
    words.insert(words.end(), first, first + static_cast<std::ptrdiff_t>(returned(op, r)));
    used_[r] += returned(op, r);
  }
  return words;
}

bool ContributionBuilder::take(std::vector<Frame>& out) {
  const std::size_t most = out.size() + kTogether;
  for (; next_ < ops_; ++next_) {
    const compiler::Op& op = plan_.ops[next_];
    if (op.returns == compiler::Returns::Gradient) {
      const Gradient has = gradient(out, most);
      if (has == Gradient::Full) return true;
      if (has == Gradient::Waits) break;
      std::ranges::fill(read_, 0);
      continue;
    }
    if (!arrived(op)) break;
    if (out.size() >= most) return true;
    const std::vector<std::uint32_t> words = read();
    if (op.returns == compiler::Returns::Flags) flags(op, words);
    if (op.returns == compiler::Returns::Loss) {
      const LossSum loss = loss_of(plan_, words, sequences_, labels_, losses_++);
      Frame frame{.type = FrameType::Loss, .op = static_cast<std::uint32_t>(next_)};
      out.push_back(carry(frame, {&micro_batch_, 1}, std::array<std::int64_t, kLossFields>{loss.sum, loss.tokens}));
    }
  }
  free_taken();
  return false;
}

void ContributionBuilder::free_taken() {
  for (std::size_t r = 0; r < used_.size(); ++r) {
    std::vector<std::uint32_t>& words = outlet(r);
    words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(std::exchange(used_[r], 0)));
  }
}

ContributionBuilder::Gradient ContributionBuilder::gradient(std::vector<Frame>& out, std::size_t most) {
  const compiler::Op& op = plan_.ops[next_];
  const std::size_t all = gradient_words(op);
  std::size_t before = 0;  // words of the rows above
  bool whole = true;
  for (std::size_t r = 0; r < used_.size(); before += returned(op, r), ++r) {
    const std::span<const std::uint32_t> row = outlet(r);
    while (read_[r] < returned(op, r) && used_[r] < row.size()) {
      if (out.size() >= most) return Gradient::Full;
      const std::size_t at = before + read_[r], within = at % kPartValues;
      const auto number = static_cast<std::uint32_t>(at / kPartValues);
      const std::size_t size = std::min(kPartValues, all - (at - within));
      const auto part = parts_.try_emplace(number, Part{{}, size}).first;
      if (part->second.payload.empty()) part->second.payload = room_for_words(micro_batch_, size);
      const auto words =
          row.subspan(used_[r], std::min({row.size() - used_[r], returned(op, r) - read_[r], size - within}));
      std::memcpy(words_in(part->second.payload).data() + within, words.data(), words.size_bytes());
      used_[r] += words.size();
      read_[r] += words.size();
      part->second.missing -= words.size();
      if (part->second.missing == 0) go_up(number, std::move(parts_.extract(part).mapped().payload), out);
    }
    whole = whole && read_[r] == returned(op, r);
  }
  return whole ? Gradient::Whole : Gradient::Waits;
}

void ContributionBuilder::go_up(std::uint32_t part, Bytes payload, std::vector<Frame>& out) const {
  const compiler::Op& op = plan_.ops[next_];
  const std::span<const std::uint32_t> words = words_in(payload);
  if (const std::size_t bad = memoryx::first_unfixed(words); bad < words.size()) {
    const std::uint64_t parameter = compiler::GradientOrder(op).parameter(part * kPartValues + bad);
    throw memoryx::GradientOverflow("the gradient of " + memoryx::tensor_of(plan_, parameter) + " (" + op.name +
                                    ") is not a number below 2048. HINT: use a lower learning rate.");
  }
  Frame frame{.type = FrameType::Gradient, .op = static_cast<std::uint32_t>(next_), .part = part};
  out.push_back(carry_words(frame, std::move(payload)));
}

void ContributionBuilder::flags(const compiler::Op& op, std::span<const std::uint32_t> words) const {
  if (std::ranges::all_of(words, [](std::uint32_t word) { return word == 0; })) return;
  throw SwarmError("the wafer reports an error in " + op.name + ": " + wafer_.flags());
}

}  // namespace weft::swarmx
