#include "host/swarmx/reducer.hpp"

#include <algorithm>

#include "host/memoryx/fixed_point.hpp"
#include "host/swarmx/error.hpp"

namespace weft {
namespace {

/// Adds a child's values into a sum of the same length.
void merge(FrameType type, std::vector<std::int64_t>& sum, const std::vector<std::int64_t>& values) {
  if (type == FrameType::Gradient) {
    if (!add_fixed(sum, values)) throw CorruptFrame("the sum of the children's gradients overflows");
    return;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (type == FrameType::Stats && i == kStatsCycles) {
      sum[i] = std::max(sum[i], values[i]);
    } else if (__builtin_add_overflow(sum[i], values[i], &sum[i])) {
      if (type == FrameType::Stats) throw CorruptFrame("the sum of the children's counters overflows");
      throw SwarmError(
          "the loss of the global batch overflows. HINT: the losses before were already out of bounds; "
          "use a lower learning rate.");
    }
  }
}

}  // namespace

Reducer::Reducer(const Plan& plan, std::vector<Child> children)
    : children_(std::move(children)), training_(plan, true), evaluation_(plan, false) {}

void Reducer::begin(const Frame& frame) {
  const std::string parent = "the parent";
  const Round round = decode_round(frame.bytes());
  for (const Child& child : children_) {
    if (round.wafers < static_cast<std::uint32_t>(child.first + child.count)) broken(parent, "forgets " + child.name);
  }
  if (std::uint64_t{frame.round} * round.wafers >= round.micro_batches) broken(parent, "begins a round of nothing");
  if (rounds_.size() >= kRoundsUnderWay) broken(parent, "begins too many rounds at once");
  const auto [at, fresh] = rounds_.try_emplace({frame.step, frame.round});
  if (!fresh) broken(parent, "begins " + place(frame.step, frame.round) + " twice");
  // All at once: what is small and stays, made among frames that come and go, would keep their memory from being used
  // again.
  const Sum none{.seen = std::vector<bool>(children_.size()), .missing = children_.size(), .values = {}};
  at->second = {round, std::vector<Sum>(returns(round).slots().size(), none),
                std::vector<std::size_t>(children_.size())};
}

std::optional<Frame> Reducer::add(std::size_t child, const Frame& frame) {
  const auto& [name, first, count] = children_[child];
  if (frame.type != FrameType::Gradient && frame.type != FrameType::Loss && frame.type != FrameType::Stats) {
    broken(name, "sent a frame of a type that does not go up");
  }
  const auto at = rounds_.find({frame.step, frame.round});
  if (at == rounds_.end())
    broken(name, "contributed to " + place(frame.step, frame.round) + ", which is not under way");
  UnderWay& under_way = at->second;
  const RoundReturns& planned = returns(under_way.round);
  const std::size_t slot = planned.find(frame, name), stats = planned.slots().size() - 1;
  Sum& sum = under_way.sums[slot];
  if (sum.seen[child]) broken(name, "contributed twice in " + place(frame.step, frame.round));
  if ((slot == stats) != (under_way.given[child] == stats)) {
    broken(name, "ended " + place(frame.step, frame.round) + " without everything it returns");
  }
  const std::uint32_t contains = taken(under_way.round, frame.round, first, count);
  std::vector<std::int64_t> values = planned.values(slot, frame, contains, name);
  sum.seen[child] = true;
  ++under_way.given[child];
  sum.contains += contains;
  if (sum.values.empty()) {
    sum.values = std::move(values);
  } else if (contains != 0) {
    merge(frame.type, sum.values, values);
  }
  if (--sum.missing != 0) return std::nullopt;
  Frame whole = finish(frame, sum);
  if (slot == stats) rounds_.erase(at);
  return whole;
}

Frame Reducer::finish(const Frame& last, Sum& sum) {
  Frame whole = last;
  whole.contains = sum.contains;
  whole.carry(encode_integers(std::exchange(sum.values, std::vector<std::int64_t>())));  // `= {}` would keep its memory
  return whole;
}

std::size_t Reducer::bytes() const {
  std::size_t bytes = 0;
  for (const auto& [at, under_way] : rounds_) {
    for (const Sum& sum : under_way.sums) bytes += sum.values.capacity() * sizeof(std::int64_t);
  }
  return bytes;
}

std::string Reducer::waiting_for(std::size_t child) const {
  for (const auto& [at, under_way] : rounds_) {
    if (under_way.given[child] < under_way.sums.size()) return place(at.first, at.second);
  }
  return {};
}

}  // namespace weft
