#include "host/swarmx/leaf.hpp"

#include <tuple>
#include <utility>

#include "host/memoryx/invariant.hpp"
#include "host/swarmx/error.hpp"

namespace weft {
namespace {

/// Everybody contributes, be it nothing.
void idle(const RoundReturns& returns, std::vector<Frame>& up) {
  for (const RoundReturns::Slot& slot : returns.slots()) {
    up.push_back({.type = slot.type, .op = slot.op, .part = slot.part});
  }
}

}  // namespace

Leaf::Leaf(const Plan& plan, std::unique_ptr<Wafer> wafer, int id, GetBatch get)
    : plan_(plan),
      wafer_(std::move(wafer)),
      id_(static_cast<std::uint32_t>(id)),
      get_(std::move(get)),
      outlets_(plan, *wafer_),
      training_(plan, true),
      evaluation_(plan, false) {
  wafer_->at({static_cast<int>(id_), 0, 0, "load"});
  wafer_->feed(plan_.load);
  wafer_->settle();
}

bool Leaf::handle(const Frame& frame, std::vector<Frame>& up) {
  check_order(frame);
  at_ = frame;
  at_.payload = nullptr;
  begun_ = frame.type != FrameType::End;
  if (frame.type == FrameType::Begin) {
    const std::size_t first = up.size();
    begin(frame, up);
    address(std::span(up).subspan(first));
    return false;
  }
  if (idle_) return false;
  if (frame.type == FrameType::Op) {
    op(frame);
  } else {
    wafer_->await(outlets_.totals());
  }
  return more(up);
}

bool Leaf::more(std::vector<Frame>& up) {
  const std::size_t first = up.size();
  const bool again = outlets_.take(up);
  if (!again && at_.type == FrameType::End) stats(up);
  address(std::span(up).subspan(first));
  return again;
}

void Leaf::address(std::span<Frame> up) const {
  for (Frame& frame : up) {
    frame.step = at_.step;
    frame.round = at_.round;
    frame.contains = idle_ ? 0 : 1;
  }
}

/// Begin, then Ops in their order, then End, all of one round.
void Leaf::check_order(const Frame& frame) const {
  const auto later = [&] {
    return at_.type == FrameType::Begin || std::tie(frame.op, frame.part) > std::tie(at_.op, at_.part);
  };
  const bool same = begun_ && frame.step == at_.step && frame.round == at_.round;
  if (frame.type == FrameType::Begin ? !begun_ : frame.type == FrameType::End ? same : false) return;
  if (frame.type == FrameType::Op && same && frame.op < ops_ && later()) return;
  broken("the parent", "sent a frame out of order in " + place(frame.step, frame.round));
}

void Leaf::begin(const Frame& frame, std::vector<Frame>& up) {
  const Round round = decode_round(frame.bytes());
  if (round.wafers <= id_) broken("the parent", "forgets this wafer");
  ops_ = round.train ? plan_.ops.size() : plan_.forward_ops;
  idle_ = taken(round, frame.round, static_cast<int>(id_), 1) == 0;
  if (idle_) return idle(round.train ? training_ : evaluation_, up);
  const std::uint64_t micro_batch = std::uint64_t{frame.round} * round.wafers + id_;
  const MicroBatch batch = get_({round.train, frame.step, static_cast<std::uint32_t>(micro_batch)});
  const auto seq = static_cast<std::size_t>(plan_.model.seq);
  invariant(batch.inputs.size() == batch.labels.size() && batch.inputs.size() % seq == 0,
            "a micro-batch is whole sequences with a label for each token");
  const auto sequences = static_cast<int>(batch.inputs.size() / seq);
  invariant(sequences <= plan_.model.micro_batch, "a micro-batch fits the wafer");
  before_ = wafer_->counters();
  outlets_.begin(ops_, sequences);
  place_ = {static_cast<int>(id_), frame.step, micro_batch, "tokens"};
  wafer_->at(place_);
  wafer_->feed(plan_.tokens(batch.inputs, batch.labels));
}

void Leaf::op(const Frame& frame) {
  decode_messages(frame.bytes(), messages_);
  if (place_.phase != plan_.ops[frame.op].name) {
    place_.phase = plan_.ops[frame.op].name;
    wafer_->at(place_);
  }
  wafer_->feed(messages_);
}

void Leaf::stats(std::vector<Frame>& up) {
  invariant(outlets_.complete(), "a wafer that was awaited has returned everything");
  const WaferCounters now = wafer_->counters();
  std::vector<std::int64_t> counts(kStatsFields);
  counts[kStatsCycles] = static_cast<std::int64_t>(now.cycles - before_.cycles);
  counts[kStatsFmaLanes] = static_cast<std::int64_t>(now.fma_lanes - before_.fma_lanes);
  counts[kStatsBeats] = static_cast<std::int64_t>(now.beats - before_.beats);
  counts[kStatsEdgeMessages] = static_cast<std::int64_t>(now.edge_messages - before_.edge_messages);
  Frame result{.type = FrameType::Stats};
  up.push_back(result.carry(encode_integers(counts)));
}

}  // namespace weft
