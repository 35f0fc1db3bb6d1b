#include "tests/swarmx/simulated/root_memory.hpp"

#include <algorithm>
#include <utility>

#include "host/swarmx/protocol/payload.hpp"

namespace weft::swarmx::simulated {

void LocalRootMemory::begin_step(std::uint64_t /*step*/, std::uint32_t micro_batches) {
  memoryx_.begin_step(micro_batches);
  stream_.begin_step(true);
}

bool LocalRootMemory::stream(std::size_t op, const Send& send) {
  stream_.op(op, memory_, send);
  return true;
}

bool LocalRootMemory::apply(std::uint64_t step, std::uint64_t tokens) {
  memoryx_.apply(step, tokens);
  memoryx_.finish_update();
  return true;
}

RanksRootMemory::RanksRootMemory(const compiler::Plan& plan, const memoryx::MemoryXOptions& options, const Shape& shape,
                                 const Without& without, Disk& disk,
                                 std::function<void(std::size_t, const Frame&)> send)
    : plan_(plan),
      without_(without),
      disk_(disk),
      send_(std::move(send)),
      state_(plan, shape.memory, options, without),
      frames_(plan) {}

void RanksRootMemory::send(const RanksState::Out& out) {
  for (const auto& [rank, frame] : out) send_(rank, frame);
}

void RanksRootMemory::join(std::size_t rank) {
  state_.set_joined(rank);
  if (state_.all_joined() && !loaded_) load();
}

/// Loads the state from the disk, or the seed's initial state.
void RanksRootMemory::load() {
  loaded_ = true;
  state_.begin_load();
  for (std::size_t rank = 0; rank < state_.ranks(); ++rank) {
    if (disk_.steps > 0) {
      for (const RanksState::StateChunk& chunk : state_.state_chunks(rank)) {
        const auto& vector = disk_.vectors.at(static_cast<std::size_t>(chunk.vector));
        counted_.push_back({rank, RanksState::state_frame(chunk, std::span(vector).subspan(chunk.first, chunk.count))});
      }
    }
    counted_.push_back({rank, {.type = FrameType::End}});
  }
  pump();
}

void RanksRootMemory::pump() {
  while (!counted_.empty()) {
    const auto& [rank, frame] = counted_.front();
    if (frame.type != FrameType::End && !state_.take_credit(rank)) return;
    send_(rank, frame);
    counted_.pop_front();
  }
}

void RanksRootMemory::take(std::size_t rank, const Frame& frame) {
  state_.handle_frame(rank, frame);
  pump();
  take_chunks();
}

void RanksRootMemory::begin_step(std::uint64_t step, std::uint32_t micro_batches) {
  streams_.reset();
  counted_.clear();  // from a failed swarm
  const RanksState::Out out = state_.begin_step({.step = step, .micro_batches = micro_batches});
  if (!std::exchange(step_begun_, true) || !without_.new_steps) send(out);
}

bool RanksRootMemory::stream(std::size_t op, const Send& to) {
  if (plan_.ops[op].tensors.empty()) {
    frames_.make(op, std::vector<float>(), to);
    return true;
  }
  if (streams_ != op) {
    const auto with_tensors = [&](const compiler::Op& other) { return !other.tensors.empty(); };
    const auto next =
        std::find_if(plan_.ops.begin() + static_cast<std::ptrdiff_t>(op) + 1, plan_.ops.end(), with_tensors);
    const auto number = static_cast<std::size_t>(next - plan_.ops.begin());
    send(state_.request_op(op, next == plan_.ops.end() ? std::nullopt : std::optional(number)));
    streams_ = op;
  }
  while (state_.has_op_frame()) {
    RanksState::Out more;
    auto frame = state_.next_op_frame(more);
    send(more);
    if (!frame) {
      streams_.reset();
      return true;
    }
    to(std::move(*frame));
  }
  return false;
}

void RanksRootMemory::add(std::size_t op, std::size_t first, std::span<const std::int64_t> values) {
  const Frame frame = state_.gradient_frame(op, first, values);
  for (const std::size_t rank : state_.gradient_ranks(op)) counted_.push_back({rank, frame});
  pump();
}

bool RanksRootMemory::apply(std::uint64_t step, std::uint64_t tokens) {
  if (!state_.update_complete()) return false;  // the update of the previous step is not finished
  if (!std::exchange(normed_, true)) send(state_.request_norms(step, tokens));
  if (!state_.norms_arrived()) return false;
  send(state_.apply(step, tokens, state_.update_factors(step)));
  normed_ = step_begun_ = false;
  return true;
}

bool RanksRootMemory::save(std::uint64_t steps) {
  if (!state_.update_complete() || saves_) return false;
  next_ = {.steps = steps};
  next_.vectors.assign(static_cast<std::size_t>(state_.moments()) + 1, std::vector<float>(plan_.parameters));
  RanksState::Out out;
  saves_ = state_.request_snapshot(out);
  send(out);
  return true;
}

/// Writes chunks to the disk, which accepts them at once; the last chunk completes the new checkpoint.
void RanksRootMemory::take_chunks() {
  while (saves_ && state_.has_chunk(*saves_)) {
    RanksState::Out more;
    const auto taken = state_.next_chunk(*saves_, more);
    send(more);
    if (!taken) {
      saves_.reset();
      disk_ = std::move(next_);
      return;
    }
    const auto values = decode_numbers<float>(taken->frame.bytes());
    auto& vector = next_.vectors.at(static_cast<std::size_t>(taken->chunk.vector));
    if (!taken->twice) std::ranges::copy(values, vector.begin() + static_cast<std::ptrdiff_t>(taken->chunk.first));
  }
}

std::optional<std::uint64_t> RanksRootMemory::hash() {
  if (!state_.update_complete() || saves_) return std::nullopt;
  return state_.update_result().hash;
}

}  // namespace weft::swarmx::simulated
