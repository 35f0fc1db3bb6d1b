#include "host/swarmx/tree/leaf.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "host/swarmx/base/error.hpp"
#include "host/swarmx/protocol/pass_returns.hpp"
#include "sw/base/invariant.hpp"

namespace weft::swarmx {

Leaf::Leaf(const compiler::Plan& plan, std::unique_ptr<Wafer> wafer, int id)
    : Leaf(plan, LoadedWafer{std::move(wafer), plan.load}, id) {
  wafer_->at({id_, 0, 0, "load"});
  wafer_->feed(plan_.load);
  wafer_->settle();
}

Leaf::Leaf(const compiler::Plan& plan, LoadedWafer wafer, int id)
    : plan_(plan), wafer_(std::move(wafer.wafer)), id_(id), sums_(plan.wafer.row_groups), stream_(plan) {
  invariant(wafer_->shape().row_groups == plan.wafer.row_groups, "a wafer has the plan's groups of rows");
  const auto rows = static_cast<std::size_t>(plan.wafer.rows);
  wafer.delivered.resize(rows * static_cast<std::size_t>(plan.wafer.row_groups));
  for (std::size_t first = 0; first < wafer.delivered.size(); first += rows) {
    const auto begin = wafer.delivered.begin() + static_cast<std::ptrdiff_t>(first);
    contributions_.emplace_back(plan, *wafer_, std::vector(begin, begin + static_cast<std::ptrdiff_t>(rows)),
                                static_cast<int>(first));
  }
}

LoadedWafer Leaf::release() {
  if (begun_ || !complete()) return {};
  std::vector<std::uint64_t> delivered = totals();
  return {std::move(wafer_), plan_.load, std::move(delivered)};
}

bool Leaf::complete() const { return std::ranges::all_of(contributions_, &ContributionBuilder::complete); }

std::vector<std::uint64_t> Leaf::totals() const {
  std::vector<std::uint64_t> all;
  for (const ContributionBuilder& group : contributions_)
    all.insert(all.end(), group.totals().begin(), group.totals().end());
  return all;
}

bool Leaf::take(std::vector<Frame>& up) {
  if (contributions_.size() == 1) return contributions_.front().take(up);
  bool more = false;
  for (ContributionBuilder& group : contributions_) {
    std::vector<Frame> some;
    more = group.take(some) || more;
    for (const Frame& frame : some) sums_.add(frame, up);
  }
  return more;
}

bool Leaf::handle(const Frame& frame, std::vector<Frame>& up) {
  check_order(frame);
  if (at_.type == FrameType::Batch && frame.type != FrameType::Batch) start();
  at_ = frame;
  at_.payload = nullptr;
  begun_ = frame.type != FrameType::End;
  if (frame.type == FrameType::Begin) return begin(frame), false;
  if (frame.type == FrameType::Batch) return batch(frame), false;
  if (frame.type == FrameType::Op) {
    op(frame);
  } else {
    stream_.end();
    wafer_->await(totals());
  }
  return append_more(up);
}

bool Leaf::append_more(std::vector<Frame>& up) {
  const std::size_t first = up.size();
  const bool unfinished = take(up) || feed();
  if (!unfinished && at_.type == FrameType::End) stats(up);
  for (Frame& frame : std::span(up).subspan(first)) {
    frame.step = at_.step;
    frame.pass = at_.pass;
  }
  return unfinished;
}

/// Checks the order: Begin, then Batches, then Ops in their order, then End, all of one pass.
void Leaf::check_order(const Frame& frame) const {
  const bool same = begun_ && frame.step == at_.step && frame.pass == at_.pass;
  const bool data = at_.type == FrameType::Begin || at_.type == FrameType::Batch;
  const bool later = data || std::tie(frame.op, frame.part) > std::tie(at_.op, at_.part);
  switch (frame.type) {
    case FrameType::Begin:
      if (!begun_) return;
      break;
    case FrameType::Batch:
      if (same && data && frame.op == task_.member_id) return;
      break;
    case FrameType::Op:
      if (same && at_.type != FrameType::Begin && frame.op < ops_ && later) return;
      break;
    case FrameType::End:
      if (same && at_.type != FrameType::Begin) return;
      break;
    default:
      break;
  }
  broken("the parent", "sent a frame out of order in " + place(frame.step, frame.pass));
}

void Leaf::begin(const Frame& frame) {
  const Pass pass = decode_pass(frame.bytes());
  if (pass.tasks.size() != 1) broken("the parent", "sent a wafer a number of tasks other than one");
  task_ = pass.tasks.front();
  train_ = pass.train;
  ops_ = pass.train ? plan_.ops.size() : plan_.forward_ops;
  batch_ = {};
}

void Leaf::batch(const Frame& frame) {
  const MicroBatch some = decode_batch(frame.bytes());
  const auto all = static_cast<std::size_t>(plan_.sequences()) * static_cast<std::size_t>(plan_.model.seq);
  if (some.inputs.empty() || batch_.inputs.size() + some.inputs.size() > all) {
    broken("the parent", "sent a micro-batch of a length other than planned");
  }
  batch_.inputs.insert(batch_.inputs.end(), some.inputs.begin(), some.inputs.end());
  batch_.labels.insert(batch_.labels.end(), some.labels.begin(), some.labels.end());
  batch_.class_weight = some.class_weight;
}

/// Begins the micro-batch, whose data has arrived.
void Leaf::start() {
  const auto seq = static_cast<std::size_t>(plan_.model.seq);
  if (batch_.inputs.size() % seq != 0) broken("the parent", "sent a part of a sequence");
  const auto sequences = static_cast<int>(batch_.inputs.size() / seq);
  before_ = wafer_->counters();
  place_ = {id_, at_.step, task_.micro_batch, "tokens"};
  wafer_->at(place_);
  int first = 0;  // sequence of the group; the last groups may have fewer, or none
  for (std::size_t g = 0; g < contributions_.size(); ++g, first += plan_.model.micro_batch) {
    const int count = std::clamp(sequences - first, 0, plan_.model.micro_batch);
    const auto part = [&](const std::vector<TokenId>& all) {
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(seq) * std::min(first, sequences);
      return std::vector<TokenId>(begin, begin + static_cast<std::ptrdiff_t>(seq) * count);
    };
    const std::vector<TokenId> inputs = part(batch_.inputs), labels = part(batch_.labels);
    contributions_[g].begin(ops_, count, task_.micro_batch, labels);
    const compiler::DropoutSamples samples = plan_.samples(at_.step, task_.micro_batch, static_cast<int>(g));
    wafer_->feed_group(static_cast<int>(g),
                       plan_.tokens(inputs, labels, batch_.class_weight, train_ ? &samples : nullptr));
  }
}

void Leaf::op(const Frame& frame) {
  stream_.add(frame);
  if (place_.phase != plan_.ops[frame.op].name) {
    place_.phase = plan_.ops[frame.op].name;
    wafer_->at(place_);
  }
  feed();
}

/// Feeds the next piece that has arrived, if there is one.
bool Leaf::feed() {
  const machine::StreamPiece* const piece = stream_.next();
  if (piece != nullptr) wafer_->feed_piece(*piece);
  return piece != nullptr;
}

void Leaf::stats(std::vector<Frame>& up) {
  invariant(complete() && sums_.complete(), "an awaited wafer has returned everything");
  const WaferCounters now = wafer_->counters();
  std::vector<std::int64_t> counts(kStatsFields);
  counts[kStatsCycles] = static_cast<std::int64_t>(now.cycles - before_.cycles);
  counts[kStatsFmaLanes] = static_cast<std::int64_t>(now.fma_lanes - before_.fma_lanes);
  counts[kStatsBeats] = static_cast<std::int64_t>(now.beats - before_.beats);
  counts[kStatsEdgeMessages] = static_cast<std::int64_t>(now.edge_messages - before_.edge_messages);
  Frame result{.type = FrameType::Stats};
  up.push_back(carry(result, {&task_.micro_batch, 1}, counts));
}

}  // namespace weft::swarmx
