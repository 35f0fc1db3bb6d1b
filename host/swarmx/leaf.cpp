#include "host/swarmx/leaf.hpp"

#include <utility>

#include "host/memoryx/invariant.hpp"
#include "host/swarmx/error.hpp"

namespace weft {

Leaf::Leaf(const Plan& plan, std::unique_ptr<Wafer> wafer, int id, GetBatch get)
    : plan_(plan),
      wafer_(std::move(wafer)),
      id_(static_cast<std::uint32_t>(id)),
      get_(std::move(get)),
      outlets_(plan, *wafer_) {
  wafer_->feed(plan_.load);
  wafer_->settle();
}

void Leaf::handle(const Frame& frame, std::vector<Frame>& up) {
  const std::size_t first = up.size();
  switch (frame.type) {
    case FrameType::Begin:
      begin(frame, up);
      break;
    case FrameType::Op:
      if (idle_) break;
      decode_messages(frame.bytes(), messages_);
      wafer_->feed(messages_);
      outlets_.take(up);
      break;
    case FrameType::End:
      if (!idle_) end(frame, up);
      idle_ = true;
      break;
    default:
      throw CorruptFrame("a frame of a type that does not go down");
  }
  for (std::size_t i = first; i < up.size(); ++i) {
    up[i].step = frame.step;
    up[i].round = frame.round;
  }
}

void Leaf::begin(const Frame& frame, std::vector<Frame>& up) {
  const Round round = decode_round(frame.bytes());
  const std::size_t ops = round.train ? plan_.ops.size() : plan_.forward_ops;
  const std::uint64_t micro_batch = std::uint64_t{frame.round} * round.wafers + id_;
  idle_ = micro_batch >= round.micro_batches;
  if (idle_) {  // everybody contributes, be it nothing
    for (std::size_t op = 0; op < ops; ++op) {
      const FrameType type = plan_.ops[op].returns == Returns::Loss ? FrameType::Loss : FrameType::Gradient;
      for (std::uint32_t part = 0; part < parts(plan_.ops[op]); ++part) {
        up.push_back({.type = type, .op = static_cast<std::uint32_t>(op), .part = part});
      }
    }
    up.push_back({.type = FrameType::Stats});
    return;
  }
  const MicroBatch batch = get_({round.train, frame.step, static_cast<std::uint32_t>(micro_batch)});
  const auto seq = static_cast<std::size_t>(plan_.model.seq);
  invariant(batch.inputs.size() == batch.labels.size() && batch.inputs.size() % seq == 0,
            "a micro-batch is whole sequences with a label for each token");
  const auto sequences = static_cast<int>(batch.inputs.size() / seq);
  invariant(sequences <= plan_.model.micro_batch, "a micro-batch fits the wafer");
  before_ = wafer_->counters();
  outlets_.begin(ops, sequences);
  wafer_->feed(plan_.tokens(batch.inputs, batch.labels));
}

void Leaf::end(const Frame& frame, std::vector<Frame>& up) {
  wafer_->await(outlets_.totals());
  outlets_.take(up);
  invariant(outlets_.complete(), "a wafer that was awaited has returned everything");
  const WaferCounters now = wafer_->counters();
  std::vector<std::int64_t> stats(kStatsFields);
  stats[kStatsCycles] = static_cast<std::int64_t>(now.cycles - before_.cycles);
  stats[kStatsFmaLanes] = static_cast<std::int64_t>(now.fma_lanes - before_.fma_lanes);
  stats[kStatsBeats] = static_cast<std::int64_t>(now.beats - before_.beats);
  stats[kStatsEdgeMessages] = static_cast<std::int64_t>(now.edge_messages - before_.edge_messages);
  Frame result{.type = FrameType::Stats, .step = frame.step, .round = frame.round};
  up.push_back(result.carry(encode_integers(stats)));
}

}  // namespace weft
