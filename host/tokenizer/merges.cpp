#include "host/tokenizer/merges.hpp"

#include <algorithm>
#include <functional>
#include <queue>

namespace weft::tokenizer {
namespace {

constexpr std::size_t kShort = 40;  // number of symbols up to which a scan is faster than a heap

}  // namespace

MergeTable::MergeTable(const std::vector<Merge>& merges, bool by_result) {
  const std::size_t size = std::bit_ceil(2 * merges.size() + 2);
  entries_.resize(size);
  shift_ = 64 - std::countr_zero(size);
  std::size_t rank = 0;
  for (std::size_t n = 0; n < merges.size(); ++n) {
    const auto& [left, right, merged] = merges[n];
    if (!by_result || n == 0 || merges[n - 1].merged != merged) rank = n;
    const std::uint64_t pair = std::uint64_t{left} << 32 | right;
    std::size_t at = slot(pair);
    while (entries_[at].rank != kNone && entries_[at].pair != pair) at = (at + 1) & (size - 1);
    entries_[at] = {pair, static_cast<std::uint32_t>(rank), merged};
  }
}

void Merger::merge(std::vector<std::uint32_t>& symbols) {
  if (symbols.size() < 2) return;
  symbols.size() <= kShort ? merge_short(symbols) : merge_long(symbols);
}

void Merger::merge_short(std::vector<std::uint32_t>& symbols) {
  std::size_t count = symbols.size();
  const auto rank = [&](std::size_t i) { return table_.find(symbols[i], symbols[i + 1]).rank; };
  ranks_.resize(count);
  for (std::size_t i = 0; i + 1 < count; ++i) ranks_[i] = rank(i);
  while (count > 1) {
    const auto best = std::min_element(ranks_.begin(), ranks_.begin() + static_cast<std::ptrdiff_t>(count) - 1);
    if (*best == MergeTable::kNone) break;
    const auto at = static_cast<std::size_t>(best - ranks_.begin());
    symbols[at] = table_.find(symbols[at], symbols[at + 1]).merged;
    --count;
    for (std::size_t i = at + 1; i < count; ++i) symbols[i] = symbols[i + 1], ranks_[i] = ranks_[i + 1];
    if (at > 0) ranks_[at - 1] = rank(at - 1);
    if (at + 1 < count) ranks_[at] = rank(at);
  }
  symbols.resize(count);
}

void Merger::merge_long(std::vector<std::uint32_t>& symbols) {
  struct Candidate {
    std::uint32_t rank;
    std::int32_t at;
    auto operator<=>(const Candidate&) const = default;
  };
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
  const auto count = static_cast<std::int32_t>(symbols.size());
  before_.resize(symbols.size()), after_.resize(symbols.size());
  ranks_.assign(symbols.size(), MergeTable::kNone);
  const auto consider = [&](std::int32_t at) {
    ranks_[at] = after_[at] < 0 ? MergeTable::kNone : table_.find(symbols[at], symbols[after_[at]]).rank;
    if (ranks_[at] != MergeTable::kNone) queue.push({ranks_[at], at});
  };
  for (std::int32_t i = 0; i < count; ++i) before_[i] = i - 1, after_[i] = i + 1 < count ? i + 1 : -1;
  for (std::int32_t i = 0; i < count; ++i) consider(i);
  while (!queue.empty()) {
    const auto [rank, at] = queue.top();
    queue.pop();
    if (ranks_[at] != rank) continue;  // stale: one of the symbols was merged meanwhile
    const std::int32_t gone = after_[at];
    symbols[at] = table_.find(symbols[at], symbols[gone]).merged;
    ranks_[gone] = MergeTable::kNone;
    after_[at] = after_[gone];
    if (after_[at] >= 0) before_[after_[at]] = at;
    consider(at);
    if (before_[at] >= 0) consider(before_[at]);
  }
  std::size_t kept = 0;
  for (std::int32_t i = 0; i >= 0; i = after_[i]) symbols[kept++] = symbols[i];
  symbols.resize(kept);
}

}  // namespace weft::tokenizer
