#include "host/swarmx/memory/rank_paces.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace weft::swarmx {
namespace {

constexpr std::array kNames = {"sums of squares take", "an update takes"};

}  // namespace

std::optional<std::size_t> RankPaces::kind_of(FrameType type) {
  switch (type) {
    case FrameType::Norm:
      return 0;
    case FrameType::Apply:
    case FrameType::Done:
      return 1;
    default:
      return std::nullopt;
  }
}

void RankPaces::sent(std::size_t rank, const Frame& frame, Time now) {
  const auto kind = kind_of(frame.type);
  if (!kind) return;
  Answers& answers = ranks_[rank][*kind];
  if (!answers.since) answers.since = now;
}

void RankPaces::received(std::size_t rank, const Frame& frame, Time now) {
  const auto kind = kind_of(frame.type);
  if (!kind) return;
  Answers& answers = ranks_[rank][*kind];
  if (!answers.since) return;  // a further part of the answer, or the end of loading
  const Duration took = now - *answers.since;
  answers.since.reset();
  answers.mean = answers.mean ? *answers.mean * 0.75 + took * 0.25 : took;
}

/// Returns the median of the others' means, the lower one of two.
std::optional<RankPaces::Duration> RankPaces::usual(std::size_t rank, std::size_t kind) const {
  std::vector<Duration> means;
  for (std::size_t other = 0; other < ranks_.size(); ++other)
    if (other != rank && ranks_[other][kind].mean) means.push_back(*ranks_[other][kind].mean);
  if (means.empty()) return std::nullopt;
  const auto middle = means.begin() + static_cast<std::ptrdiff_t>((means.size() - 1) / 2);
  std::ranges::nth_element(means, middle);
  return *middle;
}

std::string RankPaces::slow_part(std::size_t rank, Time now) const {
  if (straggler_ == 0) return {};
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    const Answers& answers = ranks_[rank][kind];
    const auto usual = this->usual(rank, kind);
    if (!usual) continue;
    const Duration present = answers.since ? Duration(now - *answers.since) : Duration{};
    const Duration takes = std::max(present, answers.mean.value_or(Duration{}));
    if (takes > kShortest && takes > *usual * straggler_)
      return fmt::format("{} {:.2g} s, on other ranks {:.2g} s", kNames[kind], takes.count(), usual->count());
  }
  return {};
}

}  // namespace weft::swarmx
