/// A failed step no longer accesses its memory, whatever was in flight.
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <stdexcept>
#include <thread>

#include "host/swarmx/memory/local.hpp"
#include "tests/swarmx/fake.hpp"

namespace weft::swarmx {
namespace {

/// A memory that takes a while to add the first gradient.
class SlowMemory final : public LocalMemoryXClient {
 public:
  using LocalMemoryXClient::LocalMemoryXClient;
  void add(std::size_t op, std::size_t first, std::span<const std::int64_t> values) override {
    if (++added == 1) {
      inside = true;
      entered.set_value();
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      LocalMemoryXClient::add(op, first, values);
      inside = false;
    }
    if (throws) throw std::runtime_error("it cannot be added");
  }
  std::atomic<int> added = 0;
  std::atomic<bool> inside = false;
  std::promise<void> entered;
  bool throws = false;
};

struct FailedStep : testing::Test {
  compiler::Plan plan = fake_plan();
  memoryx::MemoryX memoryx{plan, {}};
  SlowMemory memory{plan, memoryx};
  std::future<void> entered = memory.entered.get_future();

  /// Three wafers, whose stream breaks off in the second pass as soon as a gradient of the first is being added.
  SwarmOptions options() {
    SwarmOptions options = fake_swarm(plan, 3, 2, 6, 3);
    options.streamed = [this, ops = std::size_t{0}](std::size_t, auto, auto) mutable {
      if (++ops <= plan.ops.size()) return;
      const auto most = std::chrono::seconds(ops == 2 * plan.ops.size() ? 10 : 0);
      if (entered.wait_for(most) == std::future_status::ready) throw std::runtime_error("the stream breaks off");
    };
    return options;
  }
};

TEST_F(FailedStep, WaitsForWhatIsAdded) {
  Swarm swarm(plan, options());
  EXPECT_THROW(swarm.step(0, memory), std::runtime_error);
  EXPECT_FALSE(memory.inside);
  const int added = memory.added;
  std::this_thread::sleep_for(std::chrono::milliseconds(100));  // the other wafers' gradients arrive meanwhile
  EXPECT_EQ(memory.added, added);
}

TEST_F(FailedStep, DoesNotWaitForWhatCannotBeAdded) {
  memory.throws = true;
  Swarm swarm(plan, options());
  EXPECT_THROW(swarm.step(0, memory), std::runtime_error);
  EXPECT_FALSE(memory.inside);
}

}  // namespace
}  // namespace weft::swarmx
