#include "host/swarmx/memory/part_state.hpp"

#include <algorithm>
#include <bit>

#include "host/swarmx/memory/part_frames.hpp"
#include "host/swarmx/protocol/contribution.hpp"
#include "host/swarmx/protocol/pass_returns.hpp"
#include "host/swarmx/protocol/payload.hpp"

namespace weft::swarmx {
namespace {

void check_sent(bool holds) {
  if (!holds) broken("MemoryX", "sent something outside this plan");
}

std::span<const std::uint64_t> numbers_of(const Frame& frame, std::size_t count) {
  const auto all = decode_numbers<std::uint64_t>(frame.bytes());
  check_sent(all.size() == count && all[0] > 0);
  return all;
}

PartOptions part_of(const compiler::Plan& plan, const Frame& assignment) {
  if (assignment.type != FrameType::Deal) broken("MemoryX", "does not begin with a shard assignment");
  PartOptions part = decode_part(assignment.bytes());
  check_sent(part.shards.last <= memoryx::shard_count(plan.parameters));
  return part;
}

}  // namespace

PartState::PartState(const compiler::Plan& plan, const Frame& assignment, unsigned threads)
    : plan_(plan),
      part_(part_of(plan, assignment)),
      memoryx_(plan, {.optimizer = part_.optimizer,
                      .no_decay = part_.no_decay,
                      .decay = part_.decay,
                      .frozen = part_.frozen,
                      .seed = part_.seed,
                      .threads = threads,
                      .shards = part_.shards}) {}

bool PartState::writes(const Frame& frame) {
  return frame.type == FrameType::State || frame.type == FrameType::Step || frame.type == FrameType::Apply;
}

bool PartState::counts(const Frame& frame) {
  return frame.payload && (frame.type == FrameType::Gradient || frame.type == FrameType::State);
}

std::vector<Frame> PartState::handle(const Frame& frame) {
  switch (frame.type) {
    case FrameType::State:
      replace_chunk(frame);
      return {};
    case FrameType::End:
      return loaded();
    case FrameType::Step:
      memoryx_.begin_step(frame.contains);
      return {};
    case FrameType::Gradient:
      add(frame);
      return {};
    case FrameType::Norm:
      return norm_frames(memoryx_.squares(numbers_of(frame, 1)[0]), own());
    case FrameType::Apply:
      apply(frame);
      return {};
    default:
      broken("MemoryX", "sent a frame that a rank of MemoryX does not accept");
  }
}

/// Replaces a chunk of the state.
void PartState::replace_chunk(const Frame& frame) {
  const auto vectors = memoryx_.store().vectors();
  const auto values = decode_numbers<float>(frame.bytes());
  const std::uint64_t begin = own().begin(plan_.parameters), end = own().end(plan_.parameters);
  check_sent(frame.op < vectors.size() && frame.step >= begin && frame.step < end && values.size() <= end - frame.step);
  std::ranges::copy(values, vectors[frame.op].begin() + static_cast<std::ptrdiff_t>(frame.step));
}

std::vector<Frame> PartState::loaded() {
  memoryx::ParameterStore& store = memoryx_.store();
  for (const auto& vector : store.vectors()) memoryx::prune(plan_.tensors, plan_.mask, store, vector, own());
  return done_frames(memoryx_.shard_results(), own(), std::nullopt);
}

void PartState::add(const Frame& frame) {
  check_sent(frame.op < plan_.ops.size() && plan_.ops[frame.op].returns == compiler::Returns::Gradient);
  const auto values = decode_numbers<std::int64_t>(frame.bytes());
  const std::size_t first = std::size_t{frame.part} * kPartValues, words = gradient_words(plan_.ops[frame.op]);
  check_sent(first <= words && values.size() <= words - first);
  memoryx_.add(frame.op, first, values);
}

void PartState::apply(const Frame& frame) {
  const auto all = numbers_of(frame, 3);
  memoryx_.apply(frame.step, all[0],
                 {.learning_rate = std::bit_cast<double>(all[1]), .clip = std::bit_cast<double>(all[2])});
}

std::vector<Frame> PartState::finish_update() {
  const auto diverged = memoryx_.diverged();
  return done_frames(memoryx_.shard_results(), own(), diverged);
}

}  // namespace weft::swarmx
