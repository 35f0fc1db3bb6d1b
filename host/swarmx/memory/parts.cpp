#include "host/swarmx/memory/parts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "host/memoryx/exact_sum.hpp"
#include "host/memoryx/invariant.hpp"
#include "host/memoryx/state_hash.hpp"
#include "host/swarmx/error.hpp"
#include "host/swarmx/payload.hpp"

namespace weft {
namespace {

constexpr std::size_t kSome = 16384;  // shards that a frame speaks of at most

/// Done, of a shard; behind the last a text may follow.
struct Said {
  double square;
  std::uint64_t weights, first, second, within;
};

std::string name_of(std::size_t rank) { return "memory " + std::to_string(rank); }

/// Calls `make(frame, first, count)` for a rank's shards, some at a time.
template <class Make>
std::vector<Frame> in_frames(FrameType type, const ShardRange& own, const Make& make) {
  std::vector<Frame> frames;
  for (std::size_t first = own.first, count = 0; first < own.last; first += count) {
    count = std::min(kSome, own.last - first);
    Frame frame{.type = type, .op = static_cast<std::uint32_t>(first), .contains = static_cast<std::uint32_t>(count)};
    frames.push_back(make(frame, first, count));
  }
  return frames;
}

}  // namespace

std::vector<Frame> norm_frames(std::span<const double> squares, const ShardRange& own) {
  return in_frames(FrameType::Norm, own, [&](Frame frame, std::size_t first, std::size_t count) {
    return frame.carry(encode_numbers(squares.subspan(first, count)));
  });
}

std::vector<Frame> done_frames(std::span<const ShardDone> shards, const ShardRange& own,
                               const std::optional<std::string>& diverged) {
  return in_frames(FrameType::Done, own, [&](Frame frame, std::size_t first, std::size_t count) {
    std::vector<Said> said;
    for (const ShardDone& shard : shards.subspan(first, count))
      said.push_back({shard.square, shard.hash.weights, shard.hash.first, shard.hash.second, shard.within ? 1U : 0U});
    Bytes bytes = encode_numbers(std::span<const Said>(said));
    if (diverged && first + count == own.last) bytes.insert(bytes.end(), diverged->begin(), diverged->end());
    return frame.carry(std::move(bytes));
  });
}

Parts::Parts(const FirstFailure& run, std::span<const Dealt> dealt, std::uint64_t parameters)
    : dealt_(dealt),
      parameters_(parameters),
      waiting_(run),
      ranks_(dealt.size()),
      squares_(shard_count(parameters)),
      shards_(squares_.size()),
      known_(squares_.size()) {}

std::size_t Parts::shards(std::size_t rank) const { return dealt_[rank].shards.last - dealt_[rank].shards.first; }

void Parts::come(std::size_t rank) {
  const std::lock_guard lock(waiting_.mutex);
  ranks_[rank].here = true;
  waiting_.notify();
}

bool Parts::wait_for_all(std::chrono::steady_clock::time_point end) {
  std::unique_lock lock(waiting_.mutex);
  return waiting_.until(lock, end, [this] { return std::ranges::all_of(ranks_, &Rank::here); });
}

/// Each of all its shards.
bool Parts::all_spoken(std::size_t Rank::*of) const {
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank)
    if (ranks_[rank].*of < shards(rank)) return false;
  return true;
}

/// It goes on where it was, and not beyond its last.
void Parts::check_place(std::size_t rank, std::size_t spoken, const Frame& frame, std::size_t count) const {
  const bool right = frame.contains == count && count > 0 && frame.op == dealt_[rank].shards.first + spoken &&
                     count <= shards(rank) - spoken;
  if (!right) throw CorruptFrame(name_of(rank) + " speaks of shards that are not its next");
}

void Parts::begin_norm() {
  const std::lock_guard lock(waiting_.mutex);
  for (Rank& rank : ranks_) rank.norm = 0;
}

void Parts::take_norm(std::size_t rank, const Frame& frame) {
  const std::lock_guard lock(waiting_.mutex);
  const auto values = decode_numbers<double>(frame.bytes());
  check_place(rank, ranks_[rank].norm, frame, values.size());
  std::ranges::copy(values, squares_.begin() + frame.op);  // of a shard that two have, the same
  ranks_[rank].norm += values.size();
  waiting_.notify();
}

std::vector<double> Parts::squares() {
  std::unique_lock lock(waiting_.mutex);
  waiting_.until(lock, [this] { return all_spoken(&Rank::norm); });
  return squares_;
}

void Parts::begin_update() {
  const std::lock_guard lock(waiting_.mutex);
  begun_ = true;
  diverged_.reset();
  known_.assign(known_.size(), false);
  for (Rank& rank : ranks_) rank.done = 0;
}

void Parts::take_done(std::size_t rank, const Frame& frame) {
  const std::lock_guard lock(waiting_.mutex);
  const auto bytes = frame.bytes();
  const std::size_t count = std::min<std::size_t>(frame.contains, bytes.size() / sizeof(Said));
  check_place(rank, ranks_[rank].done, frame, count);
  const auto said = decode_numbers<Said>(bytes.first(count * sizeof(Said)));
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t shard = frame.op + k;
    const ShardDone now{said[k].square, {said[k].weights, said[k].first, said[k].second}, said[k].within == 1};
    const StateShard &here = shards_[shard].hash, &there = now.hash;
    if (known_[shard] && (here.weights != there.weights || here.first != there.first || here.second != there.second)) {
      throw SwarmError(name_of(rank) +
                       " has other weights than its neighbour has of the same tensors. HINT: one of "
                       "their machines computes wrong; start again from the last checkpoint.");
    }
    shards_[shard] = now;
    known_[shard] = true;
  }
  const auto text = bytes.subspan(count * sizeof(Said));
  if (!text.empty() && !diverged_) diverged_ = decode_text(text);
  ranks_[rank].done += count;
  waiting_.notify();
}

bool Parts::settled() const noexcept {
  const std::lock_guard lock(waiting_.mutex);
  return all_spoken(&Rank::done);
}

bool Parts::wait() const {
  std::unique_lock lock(waiting_.mutex);
  try {
    waiting_.until(lock, [this] { return !begun_ || all_spoken(&Rank::done); });
  } catch (...) {  // which the next who asks for something gets
    return false;
  }
  return true;
}

Settled Parts::settle(int moments) {
  std::unique_lock lock(waiting_.mutex);
  invariant(begun_, "a state is begun with");
  waiting_.until(lock, [this] { return all_spoken(&Rank::done); });
  Settled settled{.diverged = diverged_};
  std::vector<double> squares;
  std::vector<StateShard> hashes;
  for (const ShardDone& shard : shards_) {
    squares.push_back(shard.square);
    hashes.push_back(shard.hash);
  }
  settled.gradient_norm = ExactSum::norm(squares);
  settled.hash = state_hash(hashes, parameters_, moments);
  return settled;
}

}  // namespace weft
