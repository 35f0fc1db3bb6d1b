#include "host/planning/swarm_model/wafer.hpp"

namespace weft::planning::swarm_model {

void WaferMember::receive(Piece piece) {
  reads_.add(common_.machine.costs.take * common_.pieces.bytes(piece.number), [this, piece] {
    inbox_.push_back(piece);
    go();
  });
}

void WaferMember::work(double seconds, Then then) {
  busy_ = true;
  thread_.add(seconds, [this, then = std::move(then)] {
    busy_ = false;
    then();
    go();
  });
}

void WaferMember::go() {
  if (busy_) return;
  const Costs& costs = common_.machine.costs;
  if (waits_) {
    if (with_wafer_.size() == kOps) return;
    with_wafer_.push_back(*waits_);
    waits_.reset();
    if (with_wafer_.size() == 1) compute();
  }
  if (!returned_.empty()) {
    const std::size_t bucket = returned_.front();
    returned_.pop_front();
    return work(costs.encode * wide() * common_.pieces.buckets[bucket], [this, bucket] { send(bucket); });
  }
  if (inbox_.empty()) return;
  const Piece piece = inbox_.front();
  const auto& pieces = common_.pieces.down;
  if (piece.number == pieces.size() && !with_wafer_.empty()) return;  // the end waits for all ops
  inbox_.pop_front();
  pass_ = piece.pass;
  work(costs.decode * common_.pieces.messages(piece.number), [this, piece, &pieces] {
    if (piece.number == pieces.size()) {
      send(common_.pieces.buckets.size() - 1);
    } else if (pieces[piece.number].last) {
      waits_ = pieces[piece.number].op;
    }
  });
  room();
}

void WaferMember::compute() {
  const std::size_t op = with_wafer_.front();
  common_.clock.after(common_.work[op].seconds + common_.machine.latency, [this, op] {
    with_wafer_.pop_front();
    for (std::size_t bucket = common_.pieces.first[op]; bucket < common_.pieces.first[op + 1]; ++bucket)
      returned_.push_back(bucket);
    if (!with_wafer_.empty()) compute();
    go();
  });
}

void WaferMember::send(std::size_t bucket) {
  writes_.add(common_.machine.costs.pass * wide() * common_.pieces.buckets[bucket],
              [this, pass = pass_, bucket] { up(pass, bucket); });
}

}  // namespace weft::planning::swarm_model
