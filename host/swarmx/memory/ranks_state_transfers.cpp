/// The root's side of MemoryX's ranks: frames of ops and the state, which are transferred in chunks.
#include <algorithm>
#include <utility>

#include "host/swarmx/memory/ranks_state.hpp"
#include "host/swarmx/protocol/payload.hpp"

namespace weft::swarmx {

void RanksState::send_op_request(std::size_t op, Out& out) {
  op_requests_.push_back({.op = op, .number = ++last_op_request_});
  ops_.add(last_op_request_);
  out.push_back({rank_of_[op],
                 {.type = FrameType::Op,
                  .pass = last_op_request_,
                  .op = static_cast<std::uint32_t>(op),
                  .part = op_requests_.front().number,  // the oldest that is still wanted
                  .contains = PendingRequests::kAnswers}});
}

/// Requests the frames from the rank that has the tensors, and those of the next op in advance.
RanksState::Out RanksState::request_op(std::size_t op, std::optional<std::size_t> next) {
  Out out;
  if (op_requests_.empty() || op_requests_.front().op != op) {
    op_requests_.clear();
    ops_.forget();
    send_op_request(op, out);
  }
  if (next && op_requests_.size() == 1) send_op_request(*next, out);
  return out;
}

/// Checks that the parts arrive in order, from the rank that was asked. Only that rank knows their number.
void RanksState::check_op(std::size_t rank, const Frame& frame) {
  const auto request = std::ranges::find(op_requests_, frame.pass, &OpRequest::number);
  if (request == op_requests_.end()) return;
  const bool right = rank == rank_of_[request->op] && frame.op == request->op &&
                     (frame.bytes().empty() || frame.part == request->parts++);
  if (!right) throw CorruptFrame(name(rank) + " sent a part out of order");
}

std::optional<Frame> RanksState::next_op_frame(Out& out) {
  const OpRequest request = op_requests_.front();
  auto answer = ops_.next(request.number);
  if (!answer) {
    op_requests_.pop_front();
    return std::nullopt;
  }
  out.push_back(
      {answer->rank,
       {.type = FrameType::Op, .pass = request.number, .op = static_cast<std::uint32_t>(request.op), .contains = 1}});
  return std::move(answer->frame);
}

std::vector<RanksState::StateChunk> RanksState::state_chunks(std::size_t rank) const {
  const memoryx::ShardRange& own = assignments_[rank].shards;
  const std::uint64_t end = own.end(plan_.parameters);
  std::vector<StateChunk> result;
  for (int vector = 0; vector <= moments_; ++vector) {
    for (std::uint64_t first = own.begin(plan_.parameters); first < end; first += result.back().count)
      result.push_back({vector, first, std::min<std::size_t>(memoryx::kShard, end - first)});
  }
  return result;
}

Frame RanksState::state_frame(const StateChunk& chunk, std::span<const float> values) {
  Frame frame{.type = FrameType::State, .step = chunk.first, .op = static_cast<std::uint32_t>(chunk.vector)};
  return frame.carry(encode_numbers(values));
}

std::uint32_t RanksState::request_snapshot(Out& out) {
  chunks_.forget();  // chunks of an aborted snapshot
  chunks_.add(++snapshots_, ranks());
  arrived_.clear();
  for (std::size_t rank = 0; rank < ranks(); ++rank) arrived_.emplace_back(state_chunks(rank).size());
  out = all({.type = FrameType::State, .pass = snapshots_, .contains = PendingRequests::kAnswers});
  return snapshots_;
}

/// Checks that each chunk arrives once, and at the end none is missing: the checkpoint is complete.
void RanksState::check_chunk(std::size_t rank, const Frame& frame) {
  if (arrived_.empty() || frame.pass != snapshots_) return;
  std::vector<bool>& arrived = arrived_[rank];
  if (frame.bytes().empty()) {
    if (std::ranges::find(arrived, false) == arrived.end()) return;
    throw CorruptFrame(name(rank) + " sent an incomplete state");
  }
  const memoryx::ShardRange& own = assignments_[rank].shards;
  const std::uint64_t begin = own.begin(plan_.parameters), end = own.end(plan_.parameters);
  const bool right = frame.op <= static_cast<std::uint32_t>(moments_) && frame.step >= begin && frame.step < end &&
                     (frame.step - begin) % memoryx::kShard == 0 &&
                     frame.bytes().size() == std::min<std::uint64_t>(memoryx::kShard, end - frame.step) * sizeof(float);
  const std::size_t at = right ? frame.op * (own.last - own.first) + (frame.step - begin) / memoryx::kShard : 0;
  if (!right || arrived[at]) throw CorruptFrame(name(rank) + " sent a state of another rank, or sent a state twice");
  arrived[at] = true;
}

std::optional<RanksState::ReceivedChunk> RanksState::next_chunk(std::uint32_t request, Out& out) {
  auto next = chunks_.next(request);
  if (!next) return std::nullopt;
  const std::size_t rank = next->rank, count = next->frame.bytes().size() / sizeof(float);
  const std::uint64_t before = rank == 0 ? 0 : assignments_[rank - 1].shards.end(plan_.parameters),
                      first = next->frame.step;
  out.push_back({rank, {.type = FrameType::State, .pass = request, .contains = 1}});
  return ReceivedChunk{{static_cast<int>(next->frame.op), first, count}, std::move(next->frame), first < before};
}

}  // namespace weft::swarmx
