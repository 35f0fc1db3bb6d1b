#include "tests/swarmx/simulated/processes.hpp"

#include <array>
#include <utility>

#include "host/memoryx/invariant.hpp"
#include "tests/swarmx/fake.hpp"

namespace weft::simulated {

Ledger::Entry CarelessRoot::enter(Ledger& ledger, const Contribution& contribution, std::size_t slot) {
  const Ledger::Entry entry = Root::enter(ledger, contribution, slot);
  if (entry == Ledger::Entry::Twice && without_.once) return Ledger::Entry::New;
  if (entry == Ledger::Entry::Half && without_.overlaps) {
    for (const std::uint32_t micro_batch : contribution.micro_batches) ledger.enter({&micro_batch, 1}, slot);
    return Ledger::Entry::New;
  }
  return entry;
}

RootProcess::RootProcess(World& world, const Plan& plan, const Shape& shape, const Without& without)
    : Connected("root"),
      world_(world),
      plan_(plan),
      shape_(shape),
      without_(without),
      data_(fake_data(plan)),
      memoryx_(plan, {}),
      memory_(plan, memoryx_),
      stream_(plan),
      family_(plan),
      root_(plan, {.straggler = 3, .shortest = milliseconds(200)}, without),
      places_(static_cast<std::size_t>(shape.nodes), world.now + milliseconds(2000)) {}

std::size_t RootProcess::welcome(const std::string& name, std::vector<std::uint32_t> seats, bool leaf, Line line) {
  for (const std::uint32_t seat : seats) root_.join(seat);
  const std::size_t number = family_.join(name, std::move(seats), leaf);
  lines[number] = std::move(line);
  return number;
}

std::size_t RootProcess::welcome_node(const std::string& name, std::uint16_t process, Line line) {
  const std::size_t number = welcome(name, {}, false, std::move(line));
  places_.come(number, {.name = name, .address = "node", .port = process});
  return number;
}

std::optional<std::uint16_t> RootProcess::place(const std::string& wafer, std::uint32_t seat) {
  const std::string known = without_.names ? wafer + " with seat " + std::to_string(seat) : wafer;
  const auto node = places_.place({known, "host"}, seat);
  return node ? std::optional(node->port) : std::nullopt;
}

void RootProcess::begin() {
  begin_step();
  look();
}

void RootProcess::begin_step() {
  memoryx_.begin_step(shape_.micro_batches);
  root_.begin(step_, true, shape_.micro_batches);
  stream_.begin_step(true);
}

/// What is to be done now, again and again.
void RootProcess::look() {
  if (!alive || done()) return;
  while (const auto next = root_.next(world_.now)) {
    if (next->late.empty()) {
      stream(*next);
    } else {
      Frame apart{.type = FrameType::Apart};
      down(apart.carry(encode_seats(next->late)));
    }
  }
  world_.in(milliseconds(20), [this] { when_it_runs([this] { look(); }); });
}

void RootProcess::stream(const Root::Next& next) {
  const auto send = [&](Frame frame) {
    frame.step = step_;
    frame.round = next.round;
    down(frame);
  };
  Frame begin{.type = FrameType::Begin};
  send(begin.carry(encode_round({true, next.tasks})));
  for (const Task& task : next.tasks) {
    for (Frame& frame : batch_frames(plan_, data_, {true, step_, task.micro_batch}, task.seat)) send(std::move(frame));
  }
  for (std::size_t op = 0; op < plan_.ops.size(); ++op) stream_.op(op, memory_, send);
  send({.type = FrameType::End});
}

void RootProcess::down(const Frame& frame) {
  const Family::Moves moves = family_.down(frame);
  up(moves.up);
  for (const auto& [child, part] : moves.down) say(child, part);
}

void RootProcess::receive(std::size_t number, const Frame& frame) {
  if (!lines.contains(number)) return;
  up(family_.up(number, frame));
}

void RootProcess::lost(std::size_t number) {
  lines.erase(number);
  places_.lose(number);
  up(family_.lose(number));
}

void RootProcess::up(const std::vector<Frame>& frames) {
  for (const Frame& frame : frames) {
    if (frame.type == FrameType::Left || frame.type == FrameType::Came) {
      for (const std::uint32_t seat : decode_seats(frame.bytes())) {
        if (frame.type == FrameType::Left) places_.leave(seat);
        if (frame.type == FrameType::Came) invariant(places_.came(seat).has_value(), "who comes was sent");
      }
    }
    const auto used = root_.take(frame, world_.now);
    if (used && frame.type == FrameType::Gradient) {
      memoryx_.add(frame.op, std::size_t{frame.part} * kPartValues, used->values);
    }
    if (done() || !root_.complete()) continue;
    const Collected sum = root_.sum();
    repeated += sum.repeated;
    memoryx_.apply(step_, static_cast<std::uint64_t>(sum.tokens));
    memoryx_.settle();
    if (++step_ < shape_.steps) begin_step();
  }
}

std::size_t NodeProcess::comes() {
  family_.emplace(plan_);
  return parent_ += kLife;
}

void NodeProcess::welcome(const std::string& child, std::uint32_t seat, Line line) {
  const std::size_t number = family_->join(child, {seat}, true) + 1;
  line.connection->end(line.end).number = parent_ + number;
  lines[parent_ + number] = std::move(line);
  Frame came{.type = FrameType::Came};
  say(parent_, came.carry(encode_seats(std::array{seat})));
}

void NodeProcess::receive(std::size_t from, const Frame& frame) {
  if (!lines.contains(from)) return;
  if (from > parent_) {
    for (const Frame& sum : family_->up(from - parent_ - 1, frame)) say(parent_, sum);
    return;
  }
  const Family::Moves moves = family_->down(frame);
  for (const Frame& sum : moves.up) say(parent_, sum);
  for (const auto& [child, part] : moves.down) say(parent_ + child + 1, part);
}

/// Without a parent it is nothing: its children look for another, and so does it.
void NodeProcess::lost(std::size_t which) {
  if (lines.erase(which) == 0) return;
  if (which > parent_) {
    for (const Frame& frame : family_->lose(which - parent_ - 1)) say(parent_, frame);
    return;
  }
  for (auto& [child, line] : std::exchange(lines, {})) line.connection->cut();
  orphaned_();
}

WaferProcess::WaferProcess(World& world, std::string name, const Plan& plan, std::function<void()> orphaned)
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

/// One frame, which takes its time.
void WaferProcess::work() {
  const std::chrono::microseconds time(static_cast<std::int64_t>(slow * (500 + world_.dice.below(3000))));
  world_.in(time, [self = shared_from_this(), life = life_] {
    self->when_it_runs([self, life] {
      WaferProcess& me = *self;
      me.working_ = false;
      if (me.frames_.empty()) return;
      if (life == me.life_ && me.lines.contains(0)) {
        const Frame frame = std::move(me.frames_.front());
        me.frames_.pop_front();
        std::vector<Frame> up;
        bool more = me.leaf_->handle(frame, up);
        while (more) more = me.leaf_->more(up);
        for (const Frame& part : up) me.say(0, part);
      }
      if (!me.frames_.empty() && !std::exchange(me.working_, true)) me.work();
    });
  });
}

void WaferProcess::lost(std::size_t) {
  lines.clear();
  frames_.clear();
  ++life_;
  orphaned_();
}

}  // namespace weft::simulated
