#include "tests/swarmx/simulated/processes.hpp"

#include <array>
#include <utility>

#include "tests/swarmx/fake.hpp"

namespace weft::swarmx::simulated {

std::size_t NodeProcess::comes() {
  node_state_.emplace(plan_);
  members_.clear();
  return parent_ += kLife;
}

void NodeProcess::welcome(const std::string& child, std::uint32_t member_id, Line line) {
  const std::size_t number = node_state_->join(child, {member_id}, true) + 1;
  line.connection->end(line.end).number = parent_ + number;
  lines[parent_ + number] = std::move(line);
  members_.push_back(member_id);
  Frame came{.type = FrameType::Came};
  say(parent_, came.carry(encode_member_ids(std::array{member_id})));
}

void NodeProcess::receive(std::size_t from, const Frame& frame) {
  if (!lines.contains(from)) return;
  if (from > parent_) {
    for (const Frame& sum : node_state_->up(from - parent_ - 1, frame)) say(parent_, sum);
    if (frame.type == FrameType::Stats && ++ended_ % 3 == 0)  // a node may find any wafer late, at any time
      for (const Frame& sum : node_state_->release({members_[ended_ % members_.size()]})) say(parent_, sum);
    return;
  }
  const NodeState::Moves moves = node_state_->down(frame);
  for (const Frame& sum : moves.up) say(parent_, sum);
  for (const auto& [child, part] : moves.down) say(parent_ + child + 1, part);
}

/// A node without a parent has no function: the node and its children look for other parents.
void NodeProcess::lost(std::size_t which) {
  if (lines.erase(which) == 0) return;
  if (which > parent_) {
    for (const Frame& frame : node_state_->remove_child(which - parent_ - 1)) say(parent_, frame);
    return;
  }
  for (auto& [child, line] : std::exchange(lines, {})) line.connection->cut();
  orphaned_();
}

WaferProcess::WaferProcess(World& world, std::string name, const compiler::Plan& plan, std::function<void()> orphaned)
    : Connected(std::move(name)), world_(world), plan_(plan), orphaned_(std::move(orphaned)) {}

void WaferProcess::adopted(Line parent) {
  lines[0] = std::move(parent);
  frames_.clear();
  ++life_;
  leaf_.emplace(plan_, make_fake_wafer(plan_, {}), 0);
}

void WaferProcess::receive(std::size_t, const Frame& frame) {
  frames_.push_back(frame);
  if (!std::exchange(working_, true)) work();
}

/// Handles one frame, which takes time.
void WaferProcess::work() {
  idle_.reset();
  const std::chrono::microseconds time(static_cast<std::int64_t>(slow * (500 + world_.rng.below(3000))));
  world_.in(time, [self = shared_from_this(), life = life_] {
    self->when_it_runs([self, life] {
      WaferProcess& me = *self;
      if (me.hung_) return;
      me.working_ = false;
      me.idle_.emplace(&me.watchdog_);
      if (me.frames_.empty()) return;
      if (life == me.life_ && me.lines.contains(0)) {
        const Frame frame = std::move(me.frames_.front());
        me.frames_.pop_front();
        std::vector<Frame> up;
        bool more = me.leaf_->handle(frame, up);
        while (more) more = me.leaf_->append_more(up);
        for (const Frame& part : up) me.say(0, part);
      }
      if (!me.frames_.empty() && !std::exchange(me.working_, true)) me.work();
    });
  });
}

void WaferProcess::hang(std::function<void()> dies) {
  if (!std::exchange(hung_, true)) watch(std::move(dies));
}

void WaferProcess::watch(std::function<void()> dies) {
  world_.in(kSilence / 6, [self = shared_from_this(), dies = std::move(dies)] {
    self->when_it_runs([self, dies] {
      if (!self->alive) return;
      self->monitor_.check() ? dies() : self->watch(dies);
    });
  });
}

void WaferProcess::lost(std::size_t) {
  lines.clear();
  frames_.clear();
  ++life_;
  orphaned_();
}

}  // namespace weft::swarmx::simulated
