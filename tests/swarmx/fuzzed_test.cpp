/// A large number of malformed frames: they are rejected, and the run continues without using more memory than in its
/// first step. The targets of tests/fuzz find frames that need a fuzzer.
#include "tests/swarmx/fuzzed.hpp"

#include <gtest/gtest.h>

#include "tests/swarmx/small_plan.hpp"

namespace weft::swarmx {
namespace {

constexpr std::size_t kRoom = 256 << 10;  // bytes

void print(const char* of, const FuzzedRun& run) {
  std::printf("%s: %lu frames, %lu refused, %lu steps; most memory beyond the first step's: %.1f KiB\n", of,
              static_cast<unsigned long>(run.sent()), static_cast<unsigned long>(run.refused()),
              static_cast<unsigned long>(run.steps()), static_cast<double>(run.most_memory()) / 1024);
}

void expect_frames(std::uint64_t frames) {
  const compiler::Plan plan = small_plan();
  FuzzedRun wire(plan, Fuzz::Wire, test::test_seed(), frames / 2);
  wire.run();
  print("bits changed on the wire", wire);
  EXPECT_EQ(wire.refused(), wire.sent()) << "a checksum of 32 bits sees every byte that is another";
  EXPECT_LT(wire.most_memory(), kRoom);
  FuzzedRun alone(plan, Fuzz::Wire, 0, 0);
  alone.run_steps(wire.steps());
  EXPECT_EQ(wire.hash(), alone.hash());

  FuzzedRun liar(plan, Fuzz::Liar, test::test_seed(), frames / 2);
  liar.run();
  print("right checksums", liar);
  EXPECT_GT(liar.refused(), liar.sent() / 10);
  EXPECT_LT(liar.refused(), liar.sent()) << "some are as they should be";
  EXPECT_LT(liar.most_memory(), kRoom);
}

TEST(Fuzzed, FramesAreRefusedAndTheRunContinuesInBoundedMemory) { expect_frames(20000); }
TEST(FuzzedLong, AMillionFramesAreRefusedAndTheRunContinuesInBoundedMemory) { expect_frames(1000000); }

}  // namespace
}  // namespace weft::swarmx
