/// The steps of a simulated swarm's root.
#include <utility>

#include "host/swarmx/protocol/contribution.hpp"
#include "host/swarmx/protocol/payload.hpp"
#include "sw/base/invariant.hpp"
#include "tests/swarmx/simulated/root_process.hpp"

namespace weft::swarmx::simulated {

void RootProcess::begin_step() {
  phase_ = Phase::Working;
  memory_->begin_step(step_, shape_.micro_batches);
  root_->begin(step_, true, shape_.micro_batches);
}

/// Does everything that is possible now; called repeatedly.
void RootProcess::poll() {
  if (!alive || done()) return;
  while (phase_ == Phase::Working && !pass_children_) {
    const auto next = root_->next(world_.now);
    if (!next) break;
    if (next->late.empty()) {
      begin_pass(*next);
    } else {
      Frame unmerged{.type = FrameType::Unmerged};
      down(unmerged.carry(encode_member_ids(next->late)));
    }
    proceed();
  }
  world_.in(milliseconds(20), [this] { when_it_runs([this] { poll(); }); });
}

/// Advances the phases as far as possible now.
void RootProcess::proceed() {
  if (!alive || done()) return;
  if (phase_ == Phase::Loading) {
    if (!memory_->ready()) return;
    step_ = memory_->step();
    phase_ = Phase::Ended;
    if (step_ < shape_.steps) begin_step();
  }
  take_what_came();
  if (!stream()) return;
  take_what_came();
  end_step();
}

void RootProcess::begin_pass(const Root::Next& next) {
  pass_children_ = next;
  op_ = 0;
  Frame begin{.type = FrameType::Begin, .step = step_, .pass = next.pass};
  down(begin.carry(encode_pass({true, next.tasks})));
  for (const Task& task : next.tasks) {
    for (Frame& frame : batch_frames(plan_, data_, {true, step_, task.micro_batch}, task.member_id)) {
      frame.step = step_;
      frame.pass = next.pass;
      down(frame);
    }
  }
}

/// True: no pass is in progress.
bool RootProcess::stream() {
  if (!pass_children_) return true;
  const auto send = [&](Frame frame) {
    frame.step = step_;
    frame.pass = pass_children_->pass;
    down(frame);
  };
  for (; op_ < plan_.ops.size(); ++op_) {
    if (!memory_->stream(op_, send)) return false;
  }
  send({.type = FrameType::End});
  pass_children_.reset();
  return true;
}

void RootProcess::down(const Frame& frame) {
  const NodeState::Moves moves = node_state_->down(frame);
  up_.insert(up_.end(), moves.up.begin(), moves.up.end());
  for (const auto& [child, part] : moves.down) say(child, part);
}

/// Handles frames in order, as long as MemoryX has room for their gradients.
void RootProcess::take_what_came() {
  while (memory_->has_room() && !(up_.empty() && inbox_.empty())) {
    if (!up_.empty()) {
      const Frame frame = std::move(up_.front());
      up_.pop_front();
      take(frame);
      continue;
    }
    const auto [number, frame] = std::move(inbox_.front());
    inbox_.pop_front();
    if (!frame) assignment_->remove_node(number);
    const std::vector<Frame> said = frame ? node_state_->up(number, *frame) : node_state_->remove_child(number);
    if (frame && frame->type == FrameType::Stats)
      root_->returned(frame->pass, decode_contribution(*frame).micro_batches, world_.now);
    up_.insert(up_.end(), said.begin(), said.end());
  }
}

void RootProcess::take(const Frame& frame) {
  if (frame.type == FrameType::Left || frame.type == FrameType::Came) {
    for (const std::uint32_t member_id : decode_member_ids(frame.bytes())) {
      if (frame.type == FrameType::Left) assignment_->remove_wafer(member_id);
      if (frame.type == FrameType::Came) invariant(assignment_->arrived(member_id).has_value(), "who comes was sent");
    }
  }
  const auto used = root_->handle(frame, world_.now);
  if (used && frame.type == FrameType::Gradient)
    memory_->add(frame.op, std::size_t{frame.part} * kPartValues, used->fixed(fixed_));
}

/// Ends the step in several parts, each once MemoryX is ready for it.
void RootProcess::end_step() {
  if (phase_ == Phase::Working && root_->complete() && memory_->has_room()) {
    sum_ = root_->sum();
    repeated += sum_.repeated;
    phase_ = Phase::Updating;
  }
  if (phase_ == Phase::Updating && memory_->apply(step_, static_cast<std::uint64_t>(sum_.losses.back().tokens))) {
    ++step_;
    phase_ = Phase::Saving;
  }
  if (phase_ == Phase::Saving) {
    const bool due = step_ == shape_.steps || step_ % shape_.save_steps == 0;
    if (due && !memory_->save(step_)) return;
    phase_ = Phase::Ended;
    if (step_ < shape_.steps) begin_step();
  }
  if (phase_ == Phase::Ended) hash_ = memory_->hash();
}

}  // namespace weft::swarmx::simulated
