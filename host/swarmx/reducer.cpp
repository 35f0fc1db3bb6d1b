#include "host/swarmx/reducer.hpp"

#include <algorithm>
#include <utility>

#include "host/memoryx/fixed_point.hpp"
#include "host/swarmx/error.hpp"
#include "host/swarmx/payload.hpp"

namespace weft {
namespace {

std::string place(std::uint64_t step, std::uint32_t round) {
  return "step " + std::to_string(step) + ", round " + std::to_string(round);
}

}  // namespace

Reducer::Reducer(std::vector<std::string> children) : children_(std::move(children)) {}

std::optional<Frame> Reducer::add(std::size_t child, const Frame& frame) {
  const std::string& name = children_[child];
  if (frame.type != FrameType::Gradient && frame.type != FrameType::Loss && frame.type != FrameType::Stats) {
    throw CorruptFrame(name + " sent a frame of a type that does not go up");
  }
  const Key key{frame.step, frame.round, frame.type, frame.op, frame.part};
  const auto [at, fresh] = pending_.try_emplace(key);
  Pending& pending = at->second;
  if (fresh) {
    pending.seen.resize(children_.size());
    pending.missing = children_.size();
  }
  if (pending.seen[child]) throw CorruptFrame(name + " contributed twice in " + place(frame.step, frame.round));
  pending.seen[child] = true;
  merge(pending, frame, name);
  if (--pending.missing != 0) return std::nullopt;

  Frame whole = frame;
  whole.carry(encode_integers(pending.sum));
  pending_.erase(at);
  const auto left = pending_.lower_bound(Key{frame.step, frame.round, FrameType::Hello, 0, 0});
  if (frame.type == FrameType::Stats && left != pending_.end() && std::get<0>(left->first) == frame.step &&
      std::get<1>(left->first) == frame.round) {
    const auto late = std::ranges::find(left->second.seen, false) - left->second.seen.begin();
    throw CorruptFrame(children_[static_cast<std::size_t>(late)] + " ended " + place(frame.step, frame.round) +
                       " without what op " + std::to_string(std::get<3>(left->first)) + " returns");
  }
  return whole;
}

void Reducer::merge(Pending& pending, const Frame& frame, const std::string& child) const {
  if (!frame.payload) return;
  std::vector<std::int64_t> values = decode_integers(frame.bytes());
  if (pending.sum.empty()) {
    pending.sum = std::move(values);
    return;
  }
  if (values.size() != pending.sum.size()) throw CorruptFrame(child + " contributed another length than the others");
  if (frame.type == FrameType::Gradient) {
    if (!add_fixed(pending.sum, values)) throw CorruptFrame(child + " contributed a gradient larger than there are");
    return;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::int64_t& sum = pending.sum[i];
    if (frame.type == FrameType::Stats && i == kStatsCycles) {
      sum = std::max(sum, values[i]);
    } else if (__builtin_add_overflow(sum, values[i], &sum)) {
      throw SwarmError(
          "the loss of the global batch overflows. HINT: the losses before were already out of bounds; "
          "use a lower learning rate.");
    }
  }
}

std::string Reducer::waiting_for(std::size_t child) const {
  for (const auto& [key, pending] : pending_) {
    if (!pending.seen[child]) return place(std::get<0>(key), std::get<1>(key));
  }
  return {};
}

}  // namespace weft
