#include "host/planning/swarm_model/node.hpp"

namespace weft::planning::swarm_model {

void Node::adopt(Child& child) {
  const Machine& m = common_.machine;
  const Line line(common_.clock, m.bandwidth, m.latency);
  Below& below = children_.emplace_back(
      Below{&child, common_.pieces, line, line, Coroutine(network_), Coroutine(network_), m.window});
  child.room = [this, &below] {
    ++below.room;
    pump();
  };
  child.up = [this, &below](int pass, std::size_t bucket) {
    below.up.send(below.child->wide() * common_.pieces.buckets[bucket],
                  [this, &below, pass, bucket] { contribute(below, pass, bucket); });
  };
}

/// Number of children with wafers at work, which are the first ones.
std::size_t Node::at_work(int pass) const {
  std::size_t count = 0;
  while (count < children_.size() && children_[count].child->first() < common_.at_work(pass)) ++count;
  return count;
}

void Node::push(Piece piece) {
  inbox_.push_back(piece);
  pump();
}

void Node::receive(Piece piece) {
  reads_.add(common_.machine.costs.take * common_.pieces.bytes(piece.number), [this, piece] { push(piece); });
}

/// Sends pieces, in order, as long as all their recipients have room.
void Node::pump() {
  while (!inbox_.empty()) {
    const Piece piece = inbox_.front();
    const std::size_t count = at_work(piece.pass);
    for (std::size_t k = 0; k < count; ++k) {
      if (children_[k].room == 0) return;
    }
    inbox_.pop_front();
    for (std::size_t k = 0; k < count; ++k) send(children_[k], piece);
    if (taken) taken();
    if (room) room();
  }
}

void Node::send(Below& below, Piece piece) {
  --below.room;
  below.writes.add(common_.machine.costs.send * common_.pieces.bytes(piece.number), [&below, piece] {
    below.down.send(below.pieces.bytes(piece.number), [&below, piece] { below.child->receive(piece); });
  });
}

void Node::contribute(Below& below, int pass, std::size_t bucket) {
  const Costs& costs = common_.machine.costs;
  const double bytes = common_.pieces.buckets[bucket];
  below.reads.add(costs.add * below.child->wide() * bytes, [this, pass, bucket, bytes, &costs] {
    std::vector<std::size_t>& sums = sums_[pass];
    sums.resize(common_.pieces.buckets.size());
    if (++sums[bucket] < at_work(pass)) return;
    if (bucket + 1 == sums.size()) sums_.erase(pass);
    if (done) return done(pass, bucket);
    writes_.add(costs.pass * wide() * bytes, [this, pass, bucket] { up(pass, bucket); });
  });
}

}  // namespace weft::planning::swarm_model
