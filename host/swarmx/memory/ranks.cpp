#include "host/swarmx/memory/ranks.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "host/memoryx/invariant.hpp"
#include "host/swarmx/contribution.hpp"
#include "host/swarmx/error.hpp"
#include "host/swarmx/memory/member.hpp"
#include "host/swarmx/payload.hpp"

namespace weft {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 16;  // elements of the state, a frame

}  // namespace

/// Of which a rank takes a few at a time; the rest it reads whatever it is at, or a question could not get to it.
void MemoryRanks::send_numbers(std::size_t number, Frame frame) {
  if (!ranks_[number]->window.take()) failure_.check();
  send(number, std::move(frame));
}

void MemoryRanks::begin_step(const StepAhead& ahead) {
  range_.check_range(ahead.micro_batches);
  questions_.clear();
  ops_.forget();
  send_all({.type = FrameType::Step, .step = ahead.step, .contains = static_cast<std::uint32_t>(ahead.micro_batches)});
}

/// What a gradient's slot has: whoever has a part of its tensors gets all of it.
void MemoryRanks::add(std::size_t op, std::size_t first, std::span<const std::int64_t> values) {
  invariant(op < gets_.size() && first % kPartValues == 0, "a gradient comes in the parts of its op");
  Frame frame{.type = FrameType::Gradient,
              .op = static_cast<std::uint32_t>(op),
              .part = static_cast<std::uint32_t>(first / kPartValues)};
  frame.carry(encode_numbers(values));
  try {
    for (const std::size_t number : gets_[op]) send_numbers(number, frame);
  } catch (...) {  // no fault of who contributed: the swarm hears of it by itself
    if (!failure_.happened()) throw;
  }
}

Applied MemoryRanks::apply(std::uint64_t step, std::uint64_t tokens) {
  Applied applied{.learning_rate = learning_rate(step)};
  const OptimizerOptions& rule = options_.memoryx.optimizer;
  if (rule.max_gradient_norm > 0) {
    parts_.begin_norm();
    Frame norm{.type = FrameType::Norm, .step = step};
    send_all(norm.carry(encode_numbers(std::span<const std::uint64_t>({&tokens, 1}))));
    applied.clip = clip_factor(rule, ExactSum::norm(parts_.squares()));
  }
  parts_.begin_update();
  const std::array how{tokens, std::bit_cast<std::uint64_t>(applied.learning_rate),
                       std::bit_cast<std::uint64_t>(applied.clip)};
  Frame frame{.type = FrameType::Apply, .step = step};
  send_all(frame.carry(encode_numbers(std::span<const std::uint64_t>(how))));
  return applied;
}

void MemoryRanks::ask(std::size_t op) {
  questions_.push_back({.op = op, .number = ++asked_});
  ops_.begin(asked_);
  send(rank_of_[op],
       {.type = FrameType::Op, .round = asked_, .op = static_cast<std::uint32_t>(op), .contains = Asked::kPieces});
}

/// Who has the tensors makes the frames, and those of the next op meanwhile.
void MemoryRanks::frames(std::size_t op, std::optional<std::size_t> next, StepClock* /*clock*/, const Send& to) {
  if (plan_.ops[op].tensors.empty()) return frames_.make(op, std::vector<float>(), to);
  if (questions_.empty() || questions_.front().op != op) {
    questions_.clear();
    ops_.forget();
    ask(op);
  }
  if (next && questions_.size() == 1) ask(*next);
  const std::uint32_t question = questions_.front().number;
  while (auto piece = ops_.next(question)) {
    send(piece->rank, {.type = FrameType::Op, .round = question, .op = static_cast<std::uint32_t>(op), .contains = 1});
    to(std::move(piece->frame));
  }
  questions_.pop_front();
}

void MemoryRanks::load(const Read& read) {
  wait_for_ranks();
  parts_.begin_update();
  for (std::size_t number = 0; number < ranks_.size(); ++number) {
    const ShardRange& own = dealt_[number].shards;
    const std::uint64_t end = own.end(plan_.parameters);
    for (int vector = 0; read && vector <= moments_; ++vector) {
      std::uint64_t first = own.begin(plan_.parameters);
      for (std::size_t count = 0; first < end; first += count) {
        count = std::min<std::size_t>(kPiece, end - first);
        std::vector<float> values(count);
        read(vector, first, values);
        Frame frame{.type = FrameType::State, .step = first, .op = static_cast<std::uint32_t>(vector)};
        send_numbers(number, frame.carry(encode_numbers(std::span<const float>(values))));
      }
    }
    send(number, {.type = FrameType::End});
  }
  parts_.settle(moments_);
}

/// A thread of its own takes what comes, as fast as it can be written; the ranks wait for it where they must.
std::shared_ptr<Snapshot> MemoryRanks::snapshot(MemoryX::Take take, std::function<void()> end) {
  parts_.settle(moments_);
  const std::uint32_t round = ++snapshots_;
  pieces_.forget();  // of one that was given up
  pieces_.begin(round, ranks_.size());
  send_all({.type = FrameType::State, .round = round, .contains = Asked::kPieces});
  const auto all = [this, round, take = std::move(take)](std::size_t /*shard*/) { take_pieces(round, take); };
  return std::make_shared<Snapshot>(std::vector<std::size_t>{0}, all, std::move(end));
}

/// A shard that two have comes twice. What cannot be written is asked for all the same: ranks wait until it is taken.
void MemoryRanks::take_pieces(std::uint32_t round, const MemoryX::Take& take) {
  FirstFailure writing;
  while (const auto piece = pieces_.next(round)) {
    const ShardRange& own = dealt_[piece->rank].shards;
    const std::uint64_t before = piece->rank == 0 ? 0 : dealt_[piece->rank - 1].shards.end(plan_.parameters);
    const auto values = decode_numbers<float>(piece->frame.bytes());
    const std::uint64_t first = piece->frame.step, end = own.end(plan_.parameters);
    const bool right = piece->frame.op <= static_cast<std::uint32_t>(moments_) &&
                       first >= own.begin(plan_.parameters) && first < end && values.size() <= end - first;
    if (!right) throw CorruptFrame(memory_name(static_cast<int>(piece->rank)) + " sends a state that is not its own");
    if (first >= before && !writing.happened())
      writing.guard([&] { take(static_cast<int>(piece->frame.op), first, values); });
    send(piece->rank, {.type = FrameType::State, .round = round, .contains = 1});
  }
  writing.check();
}

}  // namespace weft
