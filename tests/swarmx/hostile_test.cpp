/// A peer that sends arbitrary frames at arbitrary times, from a seed: the run always ends, soon, and no sum contains
/// invalid data.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "tests/random.hpp"
#include "tests/swarmx/fake.hpp"
#include "tests/swarmx/impostor.hpp"
#include "tests/swarmx/small_plan.hpp"

namespace weft::swarmx {
namespace {

class Liar {
 public:
  Liar(const compiler::Plan& plan, unsigned seed) : plan_(plan), rng_(seed) {}

  /// Sends correct frames, some of them changed, and others without any context.
  void talk(Impostor& peer) {
    const bool early = rng_.chance(20);
    const Frame begin = early ? Frame{} : peer.receive(FrameType::Begin);
    for (const PassReturns::Bucket& bucket : returns_.buckets()) {
      Frame frame = contribution(plan_, bucket, begin);
      if (rng_.chance(30)) change(frame);
      peer.send(frame);
    }
    for (int n = 0; n < 30; ++n) {
      Frame frame{.type = static_cast<FrameType>(rng_.below(10))};
      for (int c = 0; c < 6; ++c) change(frame);
      peer.send(frame);
    }
  }

 private:
  std::uint32_t any() {
    const std::uint32_t choices[] = {0, 1, 2, 3, 4, 7, 8, 1U << 31, ~0U, rng_.below(1000)};
    return choices[rng_.below(10)];
  }
  void change(Frame& frame) {
    switch (rng_.below(7)) {
      case 0:
        frame.type = static_cast<FrameType>(rng_.below(10));
        break;
      case 1:
        frame.step = rng_.chance(50) ? any() : std::uint64_t{any()} << 32;
        break;
      case 2:
        frame.pass = any();
        break;
      case 3:
        frame.op = any();
        break;
      case 4:
        frame.part = any();
        break;
      case 5:
        frame.contains = any();
        break;
      default: {
        Bytes bytes(rng_.chance(50) ? 8 * rng_.below(20) : rng_.below(3000));
        for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(rng_.below(256));
        frame.carry(std::move(bytes));
      }
    }
  }

  const compiler::Plan& plan_;
  test::Rng rng_;
  PassReturns returns_{plan_, true};
};

TEST(Hostile, APeerThatSaysAnythingAtAnyTimeEndsTheRunAndIsNoSum) {
  const compiler::Plan plan = small_plan();
  memoryx::MemoryX memoryx(plan, {});
  const std::uint64_t before = memoryx.hash();
  const unsigned first = test::test_seed();
  for (unsigned seed = first; seed < first + 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const int wafers = 1 + static_cast<int>(seed % 4);
    SwarmOptions options = fake_swarm(plan, wafers, 2, static_cast<std::uint32_t>(4 * wafers), 0);
    let_join(options, wafers - 1);
    options.min_csx = wafers;  // so that the loss of the liar ends the run
    options.timeout = std::chrono::milliseconds(50);
    const auto start = std::chrono::steady_clock::now();
    {
      Swarm swarm(plan, options);
      Impostor impostor(swarm, wafers - 1);
      std::jthread talks([&] {
        try {
          Liar(plan, seed).talk(impostor);
          impostor.close();
        } catch (const boost::system::system_error&) {  // already closed
        }
      });
      EXPECT_ANY_THROW(swarm.step(0, memoryx));
    }
    ASSERT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  }
  EXPECT_EQ(memoryx.hash(), before);
}

}  // namespace
}  // namespace weft::swarmx
