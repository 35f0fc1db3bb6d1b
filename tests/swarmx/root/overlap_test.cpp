/// A step streams while MemoryX still updates the weights of the previous step.
#include <gtest/gtest.h>

#include <atomic>
#include <utility>

#include "host/memoryx/shards.hpp"
#include "tests/gated_store.hpp"
#include "tests/swarmx/fake.hpp"

namespace weft::swarmx {
namespace {

/// A fake wafer that reports when it receives its first weights.
class Watched final : public Wafer {
 public:
  Watched(std::unique_ptr<Wafer> wafer, std::function<void()> weights)
      : wafer_(std::move(wafer)), weights_(std::move(weights)) {}
  const machine::WaferShape& shape() const override { return wafer_->shape(); }
  void feed(std::span<const machine::Message> messages) override {
    if (!messages.empty() && messages[0].ctrl &&
        messages[0].data == machine::Message::command(machine::Command::Call, 0, 0).data)
      weights_();
    wafer_->feed(messages);
  }
  void await(std::span<const std::uint64_t> totals) override { wafer_->await(totals); }
  void settle() override { wafer_->settle(); }
  void reset() override { wafer_->reset(); }
  std::vector<std::uint32_t>& outlet(int row) override { return wafer_->outlet(row); }
  std::vector<std::uint16_t> sram(int row, int col) const override { return wafer_->sram(row, col); }
  WaferCounters counters() const override { return wafer_->counters(); }
  std::string flags() const override { return wafer_->flags(); }

 private:
  std::unique_ptr<Wafer> wafer_;
  std::function<void()> weights_;
};

/// Shard 0 has the streamed weights; later shards are never streamed.
compiler::Plan plan_with_a_tail() {
  compiler::Plan plan = fake_plan();
  plan.tensors.push_back(
      {"tail", {2 * memoryx::kShard}, plan.parameters, 2 * memoryx::kShard, true, 0.02F, 0, {network::Role::Hidden}});
  plan.parameters += 2 * memoryx::kShard;
  return plan;
}

struct Overlapping : testing::Test {
  Overlapping() {
    auto owned = std::make_unique<test::GatedStore>(plan_.parameters);
    store_ = owned.get();
    memoryx_ = std::make_unique<memoryx::MemoryX>(plan_, memoryx::MemoryXOptions{}, std::move(owned));
  }
  SwarmOptions options(std::function<void()> weights) const {
    SwarmOptions options = fake_swarm(plan_, 1, 2, 2, 0);
    options.make_wafer = [this, weights](int) {
      return std::make_unique<Watched>(make_fake_wafer(plan_, {}), weights);
    };
    return options;
  }
  const compiler::Plan plan_ = plan_with_a_tail();
  test::GatedStore* store_;
  std::unique_ptr<memoryx::MemoryX> memoryx_;
};

TEST_F(Overlapping, TheNextStepsWeightsReachTheWaferBeforeTheUpdateIsOver) {
  std::atomic<bool> second = false;
  Swarm swarm(plan_, options([&] {
                if (second) store_->open();
              }));
  store_->close(1);
  swarm.step(0, *memoryx_);
  EXPECT_FALSE(memoryx_->update_finished());
  second = true;
  swarm.step(1, *memoryx_, [&] { memoryx_->finish_update(); });
  EXPECT_FALSE(store_->late());
}

TEST_F(Overlapping, TheStepBeforeIsSettledWhenAllWeightsAreOnTheirWay) {
  Swarm swarm(plan_, options([&] { store_->open(); }));
  swarm.step(0, *memoryx_);
  const std::uint64_t first = memoryx_->hash();
  int calls = 0;
  swarm.step(1, *memoryx_, [&] {
    ++calls;
    EXPECT_EQ(memoryx_->finish_update().hash, first) << "no weight has changed yet";
  });
  EXPECT_EQ(calls, 1);
  EXPECT_NE(memoryx_->hash(), first);
}

TEST_F(Overlapping, ConcurrentExceptionFailsTheStepAndChangesNothing) {
  Swarm swarm(plan_, options([] {}));
  swarm.step(0, *memoryx_);
  const std::uint64_t first = memoryx_->hash();
  EXPECT_THROW(swarm.step(1, *memoryx_, [] { throw memoryx::Diverged("on purpose"); }), memoryx::Diverged);
  EXPECT_THROW(swarm.step(1, *memoryx_), memoryx::Diverged);
  EXPECT_EQ(memoryx_->hash(), first);
}

}  // namespace
}  // namespace weft::swarmx
