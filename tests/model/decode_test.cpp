/// The model's decoder compared with isa_legal.hpp.
#include <gtest/gtest.h>

#include "isa_legal.hpp"
#include "tests/random.hpp"
#include "verif/model/instructions/instructions.hpp"

namespace weft::model::decode_test {
namespace {

/// For words of every opcode the model's decoder decides as the table does.
TEST(Decode, FollowsTheTable) {
  constexpr int kColors = isa::kWaferColors;
  test::Rng rng(test::test_seed());
  unsigned seen[3] = {};
  for (std::uint32_t op = 0; op < 64; ++op)
    for (int n = 0; n < 2000; ++n) {
      const std::uint32_t word = op << 26 | rng.below(1 << 26);
      const Decoded decoded = decode(word, kColors);
      for (const isa::Thread thread : {isa::Thread::Main, isa::Thread::Psum}) {
        const isa::Verdict verdict = isa::verdict(word, thread, kColors);
        const Step step = decoded.step[thread == isa::Thread::Main ? Thread::kMain : Thread::kPsum];
        ASSERT_EQ(step == bad_instr, verdict == isa::Verdict::BadInstr) << std::hex << word;
        ASSERT_EQ(step == bad_color, verdict == isa::Verdict::BadColor) << std::hex << word;
        ++seen[static_cast<int>(verdict)];
      }
    }
  for (const unsigned n : seen) EXPECT_GT(n, 1000u);
}

TEST(InstructionMemory, SharesItsDataUntilItIsWritten) {
  constexpr int kAddress = 3;
  InstructionMemory a(isa::kWaferColors), b(isa::kWaferColors);
  const auto same = [&] { return &a[kAddress] == &b[kAddress]; };
  a.set(kAddress, 1), b.set(kAddress, 2);
  b.share(a);
  EXPECT_FALSE(same());
  EXPECT_EQ(b.words()[kAddress], 2U);
  b.set(kAddress, 1);
  EXPECT_FALSE(same());
  b.share(a);
  EXPECT_TRUE(same());
  a.set(kAddress, 5);
  EXPECT_FALSE(same());
  EXPECT_EQ(a.words()[kAddress], 5U);
  EXPECT_EQ(b.words()[kAddress], 1U);
}

}  // namespace
}  // namespace weft::model::decode_test
