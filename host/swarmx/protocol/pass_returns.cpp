#include "host/swarmx/protocol/pass_returns.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "host/memoryx/fixed_point.hpp"
#include "host/swarmx/base/error.hpp"
#include "host/swarmx/protocol/loss.hpp"
#include "host/swarmx/protocol/payload.hpp"

namespace weft::swarmx {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

/// Returns at least |v| - 1 for every value v, without overflow.
std::int64_t size_of(std::span<const std::int64_t> values) {
  std::int64_t most = 0;
  for (const std::int64_t value : values) most = std::max(most, value ^ (value >> 63));
  return most;
}

/// Returns a value above every possible |sum| over `contains` micro-batches: fixed_point.hpp.
std::int64_t gradient_limit(std::uint32_t contains) {
  static_assert(memoryx::kGradientLimit == 0x1p11F && memoryx::kGradientBits == 40);
  return contains >= memoryx::kMaxContributions ? kMost : static_cast<std::int64_t>(contains) << 51;
}

/// Checks the bound of a loss over `tokens` tokens, each of which is below 2^20 nats (loss.cpp).
bool loss_possible(std::int64_t sum, std::int64_t tokens) {
  const __int128 limit = static_cast<__int128>(tokens) << (kLossBits + 20);
  return sum <= limit && sum >= -limit;
}

}  // namespace

std::size_t gradient_words(const compiler::Op& op) {
  if (op.returns != compiler::Returns::Gradient) return 0;
  return std::accumulate(op.returned.begin(), op.returned.end(), std::size_t{0});
}

std::uint32_t parts(const compiler::Op& op) {
  if (op.returns == compiler::Returns::Loss) return 1;
  if (op.returns != compiler::Returns::Gradient) return 0;
  return static_cast<std::uint32_t>((gradient_words(op) + kPartValues - 1) / kPartValues);
}

PassReturns::PassReturns(const compiler::Plan& plan, bool train)
    : train_(train),
      groups_(static_cast<std::uint32_t>(plan.wafer.row_groups)),
      tokens_(static_cast<std::int64_t>(plan.sequences()) * plan.model.seq) {
  const std::size_t ops = train ? plan.ops.size() : plan.forward_ops;
  for (std::size_t index = 0; index < ops; ++index) {
    const compiler::Op& op = plan.ops[index];
    const std::size_t words = gradient_words(op);
    const bool loss = op.returns == compiler::Returns::Loss;
    first_.push_back(buckets_.size());
    for (std::uint32_t part = 0; part < parts(op); ++part) {
      const std::size_t values = loss ? std::size_t{kLossFields} : std::min(kPartValues, words - part * kPartValues);
      buckets_.push_back(
          {loss ? FrameType::Loss : FrameType::Gradient, static_cast<std::uint32_t>(index), part, values, losses_});
    }
    losses_ += loss ? 1 : 0;
  }
  first_.push_back(buckets_.size());
  buckets_.push_back({.values = kStatsFields});
}

std::size_t PassReturns::find(const Frame& frame, const std::string& sender) const {
  if (frame.type == FrameType::Stats && frame.op == 0 && frame.part == 0) return buckets_.size() - 1;
  if (std::size_t{frame.op} + 1 < first_.size() && frame.part < first_[frame.op + 1] - first_[frame.op]) {
    const std::size_t bucket = first_[frame.op] + frame.part;
    if (buckets_[bucket].type == frame.type) return bucket;
  }
  broken(sender, "sent a frame that no pass of " + std::string(train_ ? "training" : "evaluation") + " returns");
}

Contribution PassReturns::read(std::size_t bucket, const Frame& frame, const std::string& sender) const {
  const Bucket& planned = buckets_[bucket];
  const bool gradient = planned.type == FrameType::Gradient;
  const std::size_t length = frame.bytes().size();
  Contribution result;
  if (frame.contains > 0 && (length == 8 * (frame.contains + planned.values) ||
                             (gradient && frame.contains == 1 && length == 8 + 4 * planned.values)))
    result = decode_contribution(frame);
  if (result.size() != planned.values) {
    broken(sender, "contributed a length other than planned to op " + std::to_string(frame.op));
  }
  const std::span<const std::int64_t> values = result.values;
  if (gradient && (size_of(values) >= gradient_limit(frame.contains * groups_) ||
                   memoryx::first_unfixed(result.words) < result.words.size())) {
    broken(sender, "contributed a gradient above the possible maximum to op " + std::to_string(frame.op));
  }
  if (planned.type == FrameType::Stats && *std::ranges::min_element(values) < 0)
    broken(sender, "sent a negative count");
  if (planned.type == FrameType::Loss) {
    const std::int64_t tokens = values[kLossTokens], all = tokens_ * frame.contains,
                       least = planned.loss + 1 == losses_ ? frame.contains : 0;
    if (tokens > all || tokens < least || !loss_possible(values[kLossSum], tokens)) wrong_loss(sender, tokens);
  }
  return result;
}

void wrong_loss(const std::string& sender, std::int64_t tokens) {
  broken(sender, "contributed the loss of " + std::to_string(tokens) + " tokens, which its micro-batches cannot have");
}

void broken(const std::string& sender, const std::string& how) {
  throw CorruptFrame(sender + " " + how +
                     ". HINT: check that both processes run the same version with the same configuration.");
}

std::string place(std::uint64_t step, std::uint32_t pass) {
  return "step " + std::to_string(step + 1) + ", pass " + std::to_string(pass);
}

}  // namespace weft::swarmx
