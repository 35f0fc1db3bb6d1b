#include "tests/swarmx/simulated/memory_process.hpp"

#include <algorithm>
#include <utility>

#include "host/memoryx/shards.hpp"
#include "host/swarmx/memory/member.hpp"
#include "host/swarmx/protocol/payload.hpp"

namespace weft::swarmx::simulated {

using std::chrono::microseconds;

MemoryProcess::MemoryProcess(World& world, std::size_t which, const compiler::Plan& plan,
                             std::function<void()> orphaned)
    : Connected(memory_name(static_cast<int>(which))),
      rank(which),
      world_(world),
      plan_(plan),
      orphaned_(std::move(orphaned)),
      op_frames_(plan) {}

void MemoryProcess::adopted(Line root) {
  lines[0] = std::move(root);
  ++life_;
  part_.reset();
  frames_.clear();
  working_ = updating_ = false;
  requests_ = {};
  made_.reset();
  op_.clear();
  chunks_.clear();
  snapshot_ = 0;
}

/// Drops all state: the next root assigns this rank's part again.
void MemoryProcess::lost(std::size_t) {
  lines.clear();
  ++life_;
  orphaned_();
}

void MemoryProcess::receive(std::size_t, const Frame& frame) {
  if (!part_) {
    part_.emplace(plan_, frame, 1);
  } else if (is_more(frame)) {
    answer();
    work();
  } else {
    frames_.push_back(frame);
    work();
  }
}

/// True if the frame requests more of an answer in progress.
bool MemoryProcess::is_more(const Frame& frame) {
  if (frame.payload) return false;
  if (frame.type == FrameType::Op) return requests_.request_more(frame.pass, frame.contains);
  if (frame.type != FrameType::State || frame.pass != snapshot_) return false;
  wanted_ += frame.contains;
  return true;
}

void MemoryProcess::later(microseconds least, void (MemoryProcess::*what)()) {
  const auto time = static_cast<std::int64_t>(slow * static_cast<double>(least.count() + world_.rng.below(1000)));
  world_.in(microseconds(time), [self = shared_from_this(), life = life_, what] {
    self->when_it_runs([self, life, what] {
      if (life == self->life_) ((*self).*what)();
    });
  });
}

void MemoryProcess::work() {
  if (working_ || frames_.empty() || waits(frames_.front())) return;
  working_ = true;
  later(microseconds(50), &MemoryProcess::take_next);
}

/// During an update, a frame that needs the update's result must wait; an update also waits until all chunks of the
/// state have been sent.
bool MemoryProcess::waits(const Frame& frame) const {
  switch (frame.type) {
    case FrameType::Gradient:
    case FrameType::Norm:
      return updating_;
    case FrameType::Apply:
    case FrameType::State:
    case FrameType::End:
      return updating_ || !chunks_.empty();
    default:
      return false;
  }
}

void MemoryProcess::take_next() {
  working_ = false;
  const Frame frame = std::move(frames_.front());
  frames_.pop_front();
  take(frame);
  answer();
  work();
}

void MemoryProcess::take(const Frame& frame) {
  if (frame.type == FrameType::State && !frame.payload) return snapshot(frame);
  if (frame.type == FrameType::Op) return requests_.add(frame.pass, frame.op, frame.contains, frame.part);
  if (PartState::writes(frame)) requests_.forget();
  for (const Frame& said : part_->handle(frame)) say(0, said);
  if (PartState::counts(frame)) say(0, {.type = FrameType::Taken, .contains = 1});
  if (frame.type != FrameType::Apply) return;
  updating_ = true;
  later(microseconds(1000), &MemoryProcess::updated);
}

void MemoryProcess::updated() {
  updating_ = false;
  for (const Frame& said : part_->finish_update()) say(0, said);
  answer();
  work();
}

/// Sends chunks as far as they have been requested.
void MemoryProcess::snapshot(const Frame& ask) {
  snapshot_ = ask.pass;
  wanted_ = ask.contains;
  const memoryx::ShardRange& own = part_->own();
  std::uint32_t number = 0;
  for (const auto& vector : part_->memoryx().store().vectors()) {
    const std::size_t end = own.end(vector.size());
    for (std::size_t first = own.begin(vector.size()); first < end; first += memoryx::kShard) {
      Frame chunk{.type = FrameType::State, .step = first, .pass = ask.pass, .op = number};
      const std::span<const float> values = vector.subspan(first, std::min(memoryx::kShard, end - first));
      chunks_.push_back(chunk.carry(encode_numbers(values)));
    }
    ++number;
  }
  chunks_.push_back({.type = FrameType::State, .pass = ask.pass});
}

void MemoryProcess::answer() {
  while (!chunks_.empty() && (wanted_ > 0 || !chunks_.front().payload)) {
    wanted_ -= chunks_.front().payload ? 1 : 0;
    say(0, chunks_.front());
    chunks_.pop_front();
  }
  if (!updating_) answer_ops();
}

void MemoryProcess::answer_ops() {
  while (!requests_.empty()) {
    const RequestQueue::Request& request = requests_.front();
    if (made_ != request.number) {
      op_.clear();
      op_frames_.make(request.op, part_->memoryx().parameters(),
                      [this](Frame frame) { op_.push_back(std::move(frame)); });
      made_ = request.number;
    }
    if (op_.empty()) {
      say(0, {.type = FrameType::Op, .pass = request.number, .op = static_cast<std::uint32_t>(request.op)});
      requests_.end();
      continue;
    }
    const RequestQueue::Permission permission = requests_.take_permission();
    if (permission == RequestQueue::Permission::Wait) return;
    if (permission == RequestQueue::Permission::Stop) {
      requests_.end();
      continue;
    }
    op_.front().pass = request.number;
    say(0, op_.front());
    op_.pop_front();
  }
}

}  // namespace weft::swarmx::simulated
