#include "host/swarmx/tree/reducer.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

#include "host/memoryx/fixed_point.hpp"
#include "host/swarmx/base/error.hpp"
#include "host/swarmx/protocol/member_traffic.hpp"
#include "sw/base/token_id.hpp"

namespace weft::swarmx {
namespace {

/// Adds a contribution into a sum of the same length.
void add_values(FrameType type, std::span<std::int64_t> sum, const Contribution& contribution) {
  const std::span<const std::int64_t> values = contribution.values;
  if (type == FrameType::Gradient) {
    if (!contribution.add_to(sum)) throw memoryx::GradientOverflow("the sum of the gradients overflows");
    return;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (type == FrameType::Stats && i == kStatsCycles) {
      sum[i] = std::max(sum[i], values[i]);
    } else if (__builtin_add_overflow(sum[i], values[i], &sum[i])) {
      if (type == FrameType::Loss) {
        throw LossNotFinite(
            "the loss of the global batch overflows. HINT: the losses before were already out of bounds; use a lower "
            "learning rate.");
      }
      sum[i] = std::numeric_limits<std::int64_t>::max();  // counters saturate
    }
  }
}

}  // namespace

void Reducer::Sum::add(FrameType type, const Contribution& contribution) {
  if (micro_batches.empty()) {
    micro_batches = contribution.micro_batches;
    const auto fixed = contribution.fixed(values);
    if (contribution.words.empty()) values.assign(fixed.begin(), fixed.end());
    return;
  }
  add_values(type, values, contribution);
  std::vector<std::uint32_t> both;
  std::ranges::merge(micro_batches, contribution.micro_batches, std::back_inserter(both));
  micro_batches = std::move(both);
}

std::size_t Reducer::join(std::string name, std::vector<std::uint32_t> member_ids, bool leaf) {
  children_[next_] = {std::move(name), {member_ids.begin(), member_ids.end()}, leaf};
  return next_++;
}

std::size_t Reducer::child_of(std::uint32_t member_id) const {
  for (const auto& [number, child] : children_) {
    if (child.member_ids.contains(member_id)) return number;
  }
  return npos;
}

std::vector<std::pair<std::size_t, Frame>> Reducer::begin(const Frame& frame) {
  const std::string parent = "the parent";
  const Pass pass = decode_pass(frame.bytes());
  const auto holds_sums = [](const auto& entry) {
    return std::ranges::any_of(entry.second.shares,
                               [](const Share& share) { return share.waited_for() && !share.finished(); });
  };
  if (std::ranges::count_if(passes_, holds_sums) >= kPassesUnderWay) broken(parent, "begins too many passes at once");
  if (passes_.contains({frame.step, frame.pass})) {
    broken(parent, "begins " + place(frame.step, frame.pass) + " twice");
  }
  std::map<std::size_t, Pass> each;
  UnderWay under_way{.train = pass.train, .shares = {}, .sums = {}};
  for (const Task& task : pass.tasks) {
    const std::size_t child = child_of(task.member_id);
    if (child == npos) continue;  // its Left is in flight
    each.try_emplace(child, Pass{.train = pass.train, .tasks = {}}).first->second.tasks.push_back(task);
    under_way.shares.push_back({.child = child, .task = task});
  }
  std::vector<std::pair<std::size_t, Frame>> down;
  if (each.empty()) return down;
  for (const auto& [child, part] : each) {
    Frame begin = frame;
    down.emplace_back(child, begin.carry(encode_pass(part)));
  }
  std::ranges::sort(under_way.shares, {}, [](const Share& share) { return share.task.micro_batch; });
  // All at once: small and lasting allocations between those of frames, which are short-lived, would keep the memory of
  // frames from being reused.
  const std::size_t buckets = returns(pass.train).buckets().size();
  for (Share& share : under_way.shares) share.seen.resize(buckets);
  const auto waited = std::ranges::count_if(under_way.shares, &Share::waited_for);
  under_way.sums.assign(buckets, Sum{.missing = static_cast<std::size_t>(waited)});
  passes_.emplace(Key(frame.step, frame.pass), std::move(under_way));
  return down;
}

void Reducer::count_labels(const Frame& batch) {
  const auto at = passes_.find({batch.step, batch.pass});
  if (at == passes_.end()) return;  // its members have left
  const auto share =
      std::ranges::find_if(at->second.shares, [&](const Share& s) { return s.task.member_id == batch.op; });
  if (share == at->second.shares.end()) return;
  const std::vector<TokenId> labels = decode_batch(batch.bytes()).labels;
  share->tokens.resize(returns(at->second.train).losses());
  for (std::size_t n = 0; n < share->tokens.size(); ++n)
    share->tokens[n] +=
        std::ranges::count_if(labels, [&](TokenId word) { return compiler::label_of(losses_, word, n) != kNoLabel; });
}

Reducer::Share& Reducer::share_of(UnderWay& under_way, std::size_t child, std::uint32_t micro_batch,
                                  const Frame& frame) const {
  const auto at = std::ranges::lower_bound(under_way.shares, micro_batch, {},
                                           [](const Share& share) { return share.task.micro_batch; });
  if (at != under_way.shares.end() && at->task.micro_batch == micro_batch && at->child == child) return *at;
  broken(children_.at(child).name, "contributed micro-batch " + std::to_string(micro_batch) +
                                       ", which it does not have, to op " + std::to_string(frame.op) + " in " +
                                       place(frame.step, frame.pass));
}

std::vector<Frame> Reducer::add(std::size_t number, const Frame& frame) {
  Child& child = children_.at(number);
  if (!child.leaf && frame.type == FrameType::Left) return remove_members(child, frame);
  if (!child.leaf && frame.type == FrameType::Traffic) return {traffic(child, frame)};
  if (child.leaf || frame.type != FrameType::Came) return contribute(number, frame);
  add_members(child, frame);
  return {frame};
}

/// Adds members below the child; tasks for them are sent to it from now on.
void Reducer::add_members(Child& child, const Frame& frame) {
  for (const std::uint32_t member_id : decode_member_ids(frame.bytes())) {
    if (child_of(member_id) != npos) broken(child.name, "reports the joining of a member id that is present");
    child.member_ids.insert(member_id);
  }
}

/// Keeps the members that the child has: others may have left, or were not reported yet.
Frame Reducer::traffic(const Child& child, const Frame& frame) {
  std::vector<MemberTraffic> members = decode_traffic(frame.bytes());
  std::erase_if(members, [&](const MemberTraffic& of) {
    return !child.member_ids.contains(static_cast<std::uint32_t>(of.member_id));
  });
  return traffic_frame(members);
}

std::vector<Frame> Reducer::remove_members(Child& child, const Frame& frame) {
  const std::vector<std::uint32_t> left = decode_member_ids(frame.bytes());
  for (const std::uint32_t member_id : left) {
    if (child.member_ids.erase(member_id) == 0)
      broken(child.name, "reports the loss of a member id that it did not have");
  }
  std::vector<Frame> up = release({left.begin(), left.end()}, [](Share& share) { share.left = true; });
  up.push_back(frame);
  return up;
}

std::vector<Frame> Reducer::contribute(std::size_t number, const Frame& frame) {
  const std::string& name = children_.at(number).name;
  if (frame.type != FrameType::Gradient && frame.type != FrameType::Loss && frame.type != FrameType::Stats) {
    broken(name, "sent a frame of a type that is not sent up");
  }
  const auto at = passes_.find({frame.step, frame.pass});
  if (at == passes_.end()) {
    broken(name, "contributed to " + place(frame.step, frame.pass) + ", which is not in progress");
  }
  UnderWay& under_way = at->second;
  const PassReturns& planned = returns(under_way.train);
  const std::size_t bucket = planned.find(frame, name), stats = planned.buckets().size() - 1;
  const Contribution contribution = planned.read(bucket, frame, name);
  std::vector<Share*> shares;
  for (const std::uint32_t micro_batch : contribution.micro_batches) {
    Share& share = share_of(under_way, number, micro_batch, frame);
    if (share.seen[bucket]) broken(name, "contributed twice in " + place(frame.step, frame.pass));
    if (bucket == stats && share.given != stats) {
      broken(name, "ended " + place(frame.step, frame.pass) + " with missing returns");
    }
    shares.push_back(&share);
  }
  if (frame.type == FrameType::Loss) {
    std::int64_t least = 0, most = 0;
    for (const Share* share : shares) {
      const std::size_t n = planned.buckets()[bucket].loss;
      const bool counted = !share->tokens.empty();
      least += counted ? share->tokens[n] : n + 1 < planned.losses() ? 0 : under_way.train ? planned.tokens() : 1;
      most += counted ? share->tokens[n] : planned.tokens();
    }
    const std::int64_t tokens = contribution.values[kLossTokens];
    if (tokens < least || tokens > most) wrong_loss(name, tokens);
  }
  const auto waited =
      static_cast<std::size_t>(std::ranges::count_if(shares, [](const Share* s) { return s->waited_for(); }));
  std::vector<Frame> up;
  Sum& sum = under_way.sums[bucket];
  // A contribution that is a whole sum by itself, or part of none, is sent up unchanged instead of being encoded again.
  const bool alone = waited == 0 || (sum.missing == waited && sum.micro_batches.empty());
  if (alone) {
    up.push_back(frame);
  } else {
    sum.add(frame.type, contribution);
  }
  for (Share* share : shares) {
    share->seen[bucket] = true;
    ++share->given;
  }
  sum.missing -= waited;
  if (!alone && sum.missing == 0) {
    up.push_back(frame_of(at->first, under_way, bucket));
  }
  if (finished(under_way)) passes_.erase(at);
  return up;
}

template <class Change>
std::vector<Frame> Reducer::release(const std::set<std::uint32_t>& member_ids, Change change) {
  std::vector<Frame> up;
  for (auto at = passes_.begin(); at != passes_.end();) {
    UnderWay& under_way = at->second;
    for (Share& share : under_way.shares) {
      if (!member_ids.contains(share.task.member_id)) continue;
      const bool waited = share.waited_for();
      change(share);
      if (!waited || share.waited_for()) continue;
      for (std::size_t bucket = 0; bucket < under_way.sums.size(); ++bucket) {
        Sum& sum = under_way.sums[bucket];
        if (share.seen[bucket] || --sum.missing > 0 || sum.micro_batches.empty()) continue;
        up.push_back(frame_of(at->first, under_way, bucket));
      }
    }
    at = finished(under_way) ? passes_.erase(at) : std::next(at);
  }
  return up;
}

std::vector<Frame> Reducer::remove_child(std::size_t number) {
  const auto at = children_.find(number);
  if (at == children_.end()) return {};
  const std::set<std::uint32_t> member_ids = std::move(at->second.member_ids);
  children_.erase(at);
  if (member_ids.empty()) return {};
  std::vector<Frame> up = release(member_ids, [](Share& share) { share.left = true; });
  Frame left{.type = FrameType::Left};
  up.push_back(left.carry(encode_member_ids(std::vector<std::uint32_t>(member_ids.begin(), member_ids.end()))));
  return up;
}

std::vector<Frame> Reducer::set_unmerged(const std::vector<std::uint32_t>& member_ids) {
  return release({member_ids.begin(), member_ids.end()}, [](Share& share) { share.task.unmerged = true; });
}

/// True if nothing more can arrive.
bool Reducer::finished(const UnderWay& under_way) { return std::ranges::all_of(under_way.shares, &Share::finished); }

/// Returns the frame of a complete sum, and frees the sum's memory.
Frame Reducer::frame_of(const Key& key, UnderWay& under_way, std::size_t bucket) const {
  Sum& of = under_way.sums[bucket];
  const Sum sum = std::exchange(of, Sum{.missing = of.missing});
  const PassReturns::Bucket& planned = returns(under_way.train).buckets()[bucket];
  Frame whole{.type = planned.type, .step = key.first, .pass = key.second, .op = planned.op, .part = planned.part};
  return carry(whole, sum.micro_batches, sum.values);
}

std::size_t Reducer::bytes() const {
  std::size_t bytes = 0;
  for (const auto& [at, under_way] : passes_) {
    for (const Sum& sum : under_way.sums) bytes += sum.values.capacity() * sizeof(std::int64_t);
  }
  return bytes;
}

std::string Reducer::waiting_for(std::size_t child) const {
  for (const auto& [at, under_way] : passes_) {
    for (const Share& share : under_way.shares) {
      if (share.child == child && !share.finished()) return place(at.first, at.second);
    }
  }
  return {};
}

}  // namespace weft::swarmx
