#include "host/swarmx/memory/ranks_state.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "host/swarmx/memory/leave_request.hpp"
#include "host/swarmx/memory/member.hpp"
#include "host/swarmx/protocol/contribution.hpp"
#include "host/swarmx/protocol/error_frame.hpp"
#include "host/swarmx/protocol/pass_returns.hpp"
#include "host/swarmx/protocol/payload.hpp"
#include "sw/base/invariant.hpp"

namespace weft::swarmx {
namespace {

constexpr std::uint64_t kWindow = 16;  // gradients and chunks of the state in flight to a rank

}  // namespace

RanksState::RanksState(const compiler::Plan& plan, int ranks, const memoryx::MemoryXOptions& options)
    : plan_(plan),
      options_(options),
      clips_(options.optimizer.max_gradient_norm),
      moments_(memoryx::state_vectors(options.optimizer)),
      assignments_(assign_shards(plan, ranks)),
      rank_of_(rank_of_ops(plan, assignments_)),
      gradient_ranks_(ranks_written(plan, assignments_)),
      range_(plan),
      reserved_(assignments_.size()),
      joined_(assignments_.size()),
      leave_reasons_(assignments_.size()),
      credits_(assignments_.size(), kWindow),
      parts_(assignments_, plan.parameters) {}

std::string RanksState::name(std::size_t rank) { return memory_name(static_cast<int>(rank)); }

bool RanksState::reserve(std::size_t rank) {
  if (reserved_[rank]) return false;
  reserved_[rank] = true;
  return true;
}

Frame RanksState::assignment_frame(std::size_t rank) const {
  Frame part{.type = FrameType::Deal};
  return part.carry(encode_part({.shards = assignments_[rank].shards,
                                 .optimizer = options_.optimizer,
                                 .seed = options_.seed,
                                 .no_decay = options_.no_decay,
                                 .decay = options_.decay,
                                 .frozen = options_.frozen}));
}

bool RanksState::all_joined() const { return std::ranges::find(joined_, false) == joined_.end(); }

MemoryLost RanksState::lost_error(std::size_t rank, const std::string& why) {
  return MemoryLost(
      "swarmx MemoryX: " + name(rank) +
      " is lost with the updates of its tensors since the last checkpoint, from which the same command continues: " +
      why);
}

MemoryFailed RanksState::failed_error(std::size_t rank, const std::string& why) {
  return MemoryFailed("swarmx MemoryX: " + name(rank) +
                      " has failed, and the updates of its tensors since the last checkpoint are lost; after a repair "
                      "the same command continues from that checkpoint: " +
                      why);
}

void RanksState::handle_frame(std::size_t rank, Frame frame) {
  switch (frame.type) {
    case FrameType::Op:
      check_op(rank, frame);
      return ops_.receive(rank, std::move(frame));
    case FrameType::State:
      check_chunk(rank, frame);
      return chunks_.receive(rank, std::move(frame));
    case FrameType::Norm:
      return parts_.take_norm(rank, frame);
    case FrameType::Done:
      return parts_.take_done(rank, frame);
    case FrameType::Taken:
      credits_[rank] += frame.contains;
      return;
    case FrameType::Leaves:
      if (!leave_reasons_[rank].empty()) broken(name(rank), "sent two leave requests");
      leave_reasons_[rank] = decode_leave_request(frame, name(rank));
      return;
    case FrameType::Error:
      try {
        throw_error(frame.bytes(), name(rank));
      } catch (const CorruptFrame&) {
        throw;
      } catch (const SwarmError& error) {
        if (is_hang(frame)) throw PeerLost(error.what());
        throw failed_error(rank, error.what());
      }
    default:
      broken(name(rank), "sent a frame that no rank of MemoryX sends");
  }
}

bool RanksState::take_credit(std::size_t rank) {
  if (credits_[rank] == 0) return false;
  --credits_[rank];
  return true;
}

RanksState::Out RanksState::all(const Frame& frame) const {
  Out out;
  for (std::size_t rank = 0; rank < ranks(); ++rank) out.push_back({rank, frame});
  return out;
}

RanksState::Out RanksState::begin_step(const memoryx::UpcomingStep& upcoming) {
  range_.check_range(upcoming.micro_batches);
  op_requests_.clear();
  ops_.forget();
  return all(
      {.type = FrameType::Step, .step = upcoming.step, .contains = static_cast<std::uint32_t>(upcoming.micro_batches)});
}

/// Returns a frame with the values of a gradient bucket. Each rank that has a part of its tensors gets all of it.
Frame RanksState::gradient_frame(std::size_t op, std::size_t first, std::span<const std::int64_t> values) const {
  invariant(op < gradient_ranks_.size() && first % kPartValues == 0, "a gradient arrives in the parts of its op");
  Frame frame{.type = FrameType::Gradient,
              .op = static_cast<std::uint32_t>(op),
              .part = static_cast<std::uint32_t>(first / kPartValues)};
  return frame.carry(encode_numbers(values));
}

RanksState::Out RanksState::request_norms(std::uint64_t step, std::uint64_t tokens) {
  if (clips_ == 0) return {};
  parts_.begin_norm();
  Frame norm{.type = FrameType::Norm, .step = step};
  return all(norm.carry(encode_numbers(std::span<const std::uint64_t>({&tokens, 1}))));
}

memoryx::Applied RanksState::update_factors(std::uint64_t step) const {
  memoryx::Applied applied{.learning_rate = options_.learning_rate.at(step)};
  if (clips_ > 0) applied.clip = memoryx::clip_factor(options_.optimizer, memoryx::ExactSum::norm(parts_.squares()));
  return applied;
}

RanksState::Out RanksState::apply(std::uint64_t step, std::uint64_t tokens, const memoryx::Applied& factors) {
  parts_.begin_update();
  const std::array numbers{tokens, std::bit_cast<std::uint64_t>(factors.learning_rate),
                           std::bit_cast<std::uint64_t>(factors.clip)};
  Frame frame{.type = FrameType::Apply, .step = step};
  return all(frame.carry(encode_numbers(std::span<const std::uint64_t>(numbers))));
}

}  // namespace weft::swarmx
