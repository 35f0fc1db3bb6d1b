#include "host/swarmx/memory/parts.hpp"

#include <algorithm>

#include "host/memoryx/exact_sum.hpp"
#include "host/memoryx/state_hash.hpp"
#include "host/swarmx/base/error.hpp"
#include "host/swarmx/memory/part_frames.hpp"
#include "host/swarmx/protocol/payload.hpp"
#include "sw/base/invariant.hpp"

namespace weft::swarmx {
namespace {

std::string name_of(std::size_t rank) { return "memory " + std::to_string(rank); }

bool same(const memoryx::StateShard& a, const memoryx::StateShard& b) {
  return a.weights == b.weights && a.first == b.first && a.second == b.second;
}

}  // namespace

Parts::Parts(std::span<const ShardAssignment> assignments, std::uint64_t parameters)
    : assignments_(assignments),
      parameters_(parameters),
      ranks_(assignments.size()),
      squares_(memoryx::shard_count(parameters)),
      shards_(squares_.size()),
      known_(squares_.size()) {}

std::size_t Parts::shards(std::size_t rank) const {
  return assignments_[rank].shards.last - assignments_[rank].shards.first;
}

/// Number of ranks that have reported all their shards.
std::size_t Parts::ranks_complete(std::size_t Rank::*of) const {
  std::size_t count = 0;
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) count += ranks_[rank].*of == shards(rank) ? 1 : 0;
  return count;
}

/// Checks that a report continues where the last one ended, and not beyond the rank's shards.
void Parts::check_place(std::size_t rank, std::size_t reported, const Frame& frame, std::size_t count) const {
  const bool right = frame.contains == count && count > 0 && frame.op == assignments_[rank].shards.first + reported &&
                     count <= shards(rank) - reported;
  if (!right) throw CorruptFrame(name_of(rank) + " reports shards that are not its next");
}

void Parts::begin_norm() {
  for (Rank& rank : ranks_) rank.norm = 0;
}

void Parts::take_norm(std::size_t rank, const Frame& frame) {
  const auto values = decode_numbers<double>(frame.bytes());
  check_place(rank, ranks_[rank].norm, frame, values.size());
  std::ranges::copy(values, squares_.begin() + frame.op);  // two ranks with the same shard report the same value
  ranks_[rank].norm += values.size();
}

void Parts::begin_update() {
  has_state_ = true;
  diverged_.reset();
  known_.assign(known_.size(), false);
  for (Rank& rank : ranks_) rank.done = 0;
}

void Parts::take_done(std::size_t rank, const Frame& frame) {
  const SaidDone said = decode_done(frame);
  check_place(rank, ranks_[rank].done, frame, said.shards.size());
  for (std::size_t k = 0; k < said.shards.size(); ++k) {
    const std::size_t shard = frame.op + k;
    if (known_[shard] && !same(shards_[shard].hash, said.shards[k].hash)) {
      throw SwarmError(name_of(rank) +
                       " has other weights than its neighbor for the same tensors. HINT: one of their machines "
                       "computes incorrectly; start again from the last checkpoint.");
    }
    shards_[shard] = said.shards[k];
    known_[shard] = true;
  }
  if (!diverged_) diverged_ = said.diverged;
  ranks_[rank].done += said.shards.size();
}

memoryx::UpdateResult Parts::update_result(int moments) const {
  invariant(has_state_, "a state is begun first");
  memoryx::UpdateResult settled{.diverged = diverged_};
  std::vector<double> squares;
  std::vector<memoryx::StateShard> hashes;
  for (const memoryx::ShardDone& shard : shards_) {
    squares.push_back(shard.square);
    hashes.push_back(shard.hash);
  }
  settled.gradient_norm = memoryx::ExactSum::norm(squares);
  settled.hash = memoryx::state_hash(hashes, parameters_, moments);
  return settled;
}

}  // namespace weft::swarmx
