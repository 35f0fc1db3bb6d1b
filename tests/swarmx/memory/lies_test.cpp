/// Ranks of MemoryX that send unrequested frames with correct checksums: the root rejects these, and its results from
/// the rest are correct.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/swarmx/base/error.hpp"
#include "host/swarmx/memory/part_state.hpp"
#include "host/swarmx/memory/ranks_state.hpp"
#include "host/swarmx/protocol/op_frames.hpp"
#include "host/swarmx/protocol/payload.hpp"
#include "tests/random.hpp"
#include "tests/swarmx/small_plan.hpp"

namespace weft::swarmx {
namespace {

memoryx::MemoryXOptions clipping() {
  memoryx::MemoryXOptions options;
  options.optimizer.max_gradient_norm = 0.01;
  return options;
}

/// A root and its ranks without a network: a step, and a checkpoint after it.
class LyingRanks {
 public:
  static constexpr int kRanks = 3;
  /// About one in `lies` frames from ranks is falsified; 0: none.
  LyingRanks(const compiler::Plan& plan, std::uint64_t seed, std::uint32_t lies)
      : plan_(plan), rng_(test::mix(seed)), lies_(lies), state_(plan, kRanks, clipping()), frames_(plan) {
    for (std::size_t rank = 0; rank < kRanks; ++rank) {
      state_.reserve(rank);
      parts_.push_back(std::make_unique<PartState>(plan, state_.assignment_frame(rank), 1));
      state_.set_joined(rank);
    }
  }

  /// Throws as RanksState does. False: the run waits for a frame that was dropped.
  bool run() {
    state_.begin_load();
    for (std::size_t rank = 0; rank < kRanks; ++rank) up(rank, parts_[rank]->handle({.type = FrameType::End}));
    if (!state_.update_complete()) return false;
    down(state_.begin_step({.micro_batches = 1}));
    if (!stream(0, 1) || !stream(1, std::nullopt)) return false;
    const std::vector<std::int64_t> values(6, 1 << 20);
    for (const std::size_t rank : state_.gradient_ranks(2)) down({{rank, state_.gradient_frame(2, 0, values)}});
    down(state_.request_norms(0, 8));
    if (!state_.norms_arrived()) return false;
    down(state_.apply(0, 8, state_.update_factors(0)));
    return state_.update_complete() && save();
  }
  std::uint64_t hash() const { return state_.update_result().hash; }
  int lied() const { return lied_; }

 private:
  void down(const RanksState::Out& out) {
    for (const auto& [rank, frame] : out) {
      PartState& part = *parts_[rank];
      if (frame.type == FrameType::Op || (frame.type == FrameType::State && !frame.payload)) continue;
      up(rank, part.handle(frame));
      if (PartState::counts(frame)) up(rank, {{.type = FrameType::Taken, .contains = 1}});
      if (frame.type == FrameType::Apply) up(rank, part.finish_update());
    }
  }
  bool stream(std::size_t op, std::optional<std::size_t> next) {
    for (const auto& [rank, ask] : state_.request_op(op, next)) {
      std::vector<Frame> answer;
      frames_.make(ask.op, parts_[rank]->memoryx().parameters(), [&](Frame frame) {
        frame.pass = ask.pass;
        answer.push_back(std::move(frame));
      });
      answer.push_back({.type = FrameType::Op, .pass = ask.pass, .op = ask.op});
      up(rank, answer);
    }
    RanksState::Out more;
    for (std::uint32_t part = 0; state_.has_op_frame(); ++part) {
      const auto frame = state_.next_op_frame(more);
      if (!frame) return true;
      EXPECT_TRUE(frame->op == op && frame->part == part) << op << ", " << part;
    }
    return false;
  }
  /// Checks that the saved state is complete, each element once.
  bool save() {
    RanksState::Out out, more;
    const std::uint32_t request = state_.request_snapshot(out);
    std::vector<std::vector<float>> saved(3, std::vector<float>(plan_.parameters, -7));
    std::size_t count = 0;
    const auto take = [&] {
      while (state_.has_chunk(request)) {
        const auto taken = state_.next_chunk(request, more);
        if (!taken) return true;
        if (taken->twice) continue;
        const auto values = decode_numbers<float>(taken->frame.bytes());
        count += values.size();
        std::ranges::copy(values, saved.at(static_cast<std::size_t>(taken->chunk.vector)).begin() +
                                      static_cast<std::ptrdiff_t>(taken->chunk.first));
      }
      return false;
    };
    for (std::size_t rank = 0; rank < kRanks; ++rank) {
      const auto vectors = parts_[rank]->memoryx().store().vectors();
      for (const RanksState::StateChunk& chunk : state_.state_chunks(rank)) {
        Frame frame = RanksState::state_frame(
            chunk, vectors[static_cast<std::size_t>(chunk.vector)].subspan(chunk.first, chunk.count));
        frame.pass = request;
        up(rank, {frame});
        take();
      }
      up(rank, {{.type = FrameType::State, .pass = request}});
    }
    if (!take()) return false;
    EXPECT_EQ(count, 3 * plan_.parameters);
    for (std::size_t vector = 0; vector < 3; ++vector) expect_saved(vector, saved[vector]);
    return true;
  }
  void expect_saved(std::size_t vector, const std::vector<float>& saved) {
    for (const auto& part : parts_) {
      const std::size_t begin = part->own().begin(plan_.parameters), end = part->own().end(plan_.parameters);
      const float* const there = part->memoryx().store().vectors()[vector].data();
      EXPECT_EQ(std::memcmp(saved.data() + begin, there + begin, (end - begin) * sizeof(float)), 0);
    }
  }

  void up(std::size_t rank, const std::vector<Frame>& frames) {
    for (const Frame& frame : frames) {
      if (lies_ == 0 || rng_.below(lies_) > 0) {
        state_.handle_frame(rank, frame);
      } else {
        lie(rank, frame);
      }
    }
  }
  /// Drops or duplicates the frame, cuts its payload, or replaces its payload with that of another rank or frame.
  void lie(std::size_t rank, Frame frame) {
    ++lied_;
    const auto other = [this](auto value) { return rng_.chance(50) ? value + 1 : value ^ (1U << rng_.below(32)); };
    switch (rng_.below(10)) {
      case 0:
        return;
      case 1:
        state_.handle_frame(rank, frame);
        break;
      case 2: {
        const auto bytes = frame.bytes();
        frame.carry({bytes.begin(), bytes.end() - static_cast<std::ptrdiff_t>(std::min<std::size_t>(8, bytes.size()))});
        break;
      }
      case 3:
        rank = (rank + 1) % kRanks;
        break;
      case 4:
        frame.type = static_cast<FrameType>(rng_.below(static_cast<std::uint32_t>(kLastFrameType) + 1));
        if (frame.type == FrameType::Error) return;  // a rank's own error is believed
        break;
      case 5:
        frame.step = other(frame.step);
        break;
      case 6:
        frame.pass = static_cast<std::uint32_t>(other(frame.pass));
        break;
      case 7:
        frame.op = static_cast<std::uint32_t>(other(frame.op));
        break;
      case 8:
        frame.part = static_cast<std::uint32_t>(other(frame.part));
        break;
      default:
        frame.contains = static_cast<std::uint32_t>(other(frame.contains));
    }
    state_.handle_frame(rank, frame);
  }

  const compiler::Plan& plan_;
  test::Rng rng_;
  std::uint32_t lies_;
  RanksState state_;
  OpFrames frames_;
  std::vector<std::unique_ptr<PartState>> parts_;
  int lied_ = 0;
};

TEST(LyingRanks, AreRefusedOrChangeNothing) {
  const compiler::Plan plan = small_parted_plan();
  LyingRanks honest(plan, 1, 0);
  ASSERT_TRUE(honest.run());
  const std::uint64_t first = test::test_seed();
  int whole = 0, refused = 0, waits = 0, lied = 0;
  for (std::uint64_t seed = first; seed < first + 500; ++seed) {
    LyingRanks lying(plan, seed, 40);
    try {
      const bool ended = lying.run();
      (ended ? whole : waits) += 1;
      if (ended) {
        EXPECT_EQ(lying.hash(), honest.hash()) << "seed " << seed;
      }
    } catch (const SwarmError&) {
      ++refused;
    }
    lied += lying.lied();
    if (HasFailure()) break;
  }
  std::printf("%d lies: %d whole, %d refused, %d wait\n", lied, whole, refused, waits);
  EXPECT_GT(whole, 50);
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace weft::swarmx
