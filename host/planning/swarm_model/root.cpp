#include "host/planning/swarm_model/root.hpp"

#include "host/swarmx/protocol/frame.hpp"

namespace weft::planning::swarm_model {

Root::Root(Common& common, Cores& cores)
    : common_(common),
      node_(common, cores, 0),
      stream_(cores),
      memory_(cores),
      open_(common.passes_of_step()),
      ready_(common.work.size()) {
  node_.taken = [this] {
    --outbox_;
    stream();
  };
  node_.done = [this](int, std::size_t bucket) {
    if (bucket + 1 == common_.pieces.buckets.size()) ended();
  };
}

/// Makes the streaming thread do what it can; called again by everything that it waits for.
void Root::stream() {
  if (busy_ || outbox_ == kOutbox) return;
  if (begun_ == open_ || begun_ - ended_ == static_cast<int>(swarmx::kPassesUnderWay)) return;
  const auto& pieces = common_.pieces.down;
  const Costs& costs = common_.machine.costs;
  const Piece piece{begun_, piece_};
  double cost = 0;
  if (piece_ < pieces.size()) {
    if (pieces[piece_].op >= ready_) return;
    const bool first = begun_ % common_.passes_of_step() == 0;
    cost = pieces[piece_].bytes * (costs.again + (first ? costs.make : 0));
    ++piece_;
  } else {
    piece_ = 0;
    ++begun_;
  }
  busy_ = true;
  ++outbox_;
  stream_.add(cost, [this, piece] {
    busy_ = false;
    node_.push(piece);
    stream();
  });
}

void Root::ended() {
  ++ended_;
  if (++in_step_ < common_.passes_of_step()) return stream();
  in_step_ = 0;
  update();
}

/// Updates parameters in the order in which ops read them.
void Root::update() {
  ready_ = 0;
  const auto next = [this] {
    ends_.push_back(common_.clock.now());
    open_ += common_.passes_of_step();
    stream();
  };
  if (!common_.machine.settles) next();
  for (const WorkOp& op : common_.work) {
    memory_.add(common_.machine.costs.update * op.parameters, [this, next] {
      ++ready_;
      if (!common_.machine.settles) return stream();
      if (ready_ == common_.work.size()) next();
    });
  }
}

}  // namespace weft::planning::swarm_model
