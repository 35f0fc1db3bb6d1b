/// Tokens that are ignored: sequences missing in a micro-batch, and the padding of a sequence to whole beats.
#include <algorithm>
#include <array>
#include <bit>
#include <random>

#include "tests/kernels/cases.hpp"

namespace weft::kernels::mask_test {
namespace {

class Mask : public KernelTest {};

TEST_P(Mask, NothingFlowsBackIntoTokensThatDoNotCount) {
  stage.before("wte.dw");
  const Array d = stage.array(stage.spaces.hidden, stage.memory.dresidual);
  double counted = 0;
  for (int t = 0; t < d.tokens; ++t) {
    for (int f = 0; f < d.features; ++f) {
      if (stage.counts(t)) {
        counted += std::abs(d.at(t, f));
      } else {
        EXPECT_EQ(d.at(t, f), 0) << "token " << t;
      }
    }
  }
  EXPECT_GT(counted, 0);
}

/// All results of a micro-batch, except the loss words of ignored tokens. Equal means equal bits, or zeros.
std::vector<float> results(Gpt2Stage& stage) {
  std::vector<float> all;
  for (std::size_t n = 0; n < stage.plan.ops.size(); ++n) {
    const bool loss = stage.op().returns == compiler::Returns::Loss;
    stage.step();
    for (const auto& row : stage.words)
      for (std::size_t k = 0; k < row.size(); ++k)
        if (!loss || stage.counts(static_cast<int>(k) % stage.tokens())) all.push_back(std::bit_cast<float>(row[k]));
  }
  return all;
}

TEST_P(Mask, PaddingContentChangesNothing) {
  const std::vector<float> expected = results(stage);
  Gpt2Stage other(GetParam().model, GetParam().wafer, GetParam().sequences);
  std::mt19937 random(5);
  const auto command = [&](machine::Command code, int value) {
    const machine::Message m = machine::Message::command(code, 0, static_cast<std::uint16_t>(value));
    other.wafer->feed({&m, 1});
  };
  for (int t = 0; t < other.tokens(); ++t) {  // other ids in place of ignored tokens; labels and validity are unchanged
    if (other.counts(t)) continue;
    other.wafer->feed(std::array{machine::Message::select({.col = other.column(t)})});
    command(machine::Command::Maddr, other.memory.token + other.place(t));
    command(machine::Command::Mdata, other.plan.token_index[random() % other.plan.token_index.size()]);
  }
  other.wafer->feed(std::array{machine::Message::select()});
  EXPECT_EQ(results(other), expected);
}

TEST_P(Mask, AnEarlierMicroBatchLeavesNoTrace) {
  Gpt2Stage used(GetParam().model, GetParam().wafer, GetParam().model.micro_batch);
  (void)results(used);
  used.restart(GetParam().sequences);
  EXPECT_EQ(results(used), results(stage));
}

TEST_P(Mask, LossIsTheSumOfItsSequencesAlone) {
  const std::vector<float> expected = results(stage);
  for (const float x : expected) ASSERT_TRUE(std::isfinite(x));
  if (stage.sequences == 1) return;
  stage.restart(1);  // first sequence as before, everything else padding
  stage.before("loss");
  stage.step();
  const auto alone = stage.words[0];
  stage.restart(GetParam().sequences);
  stage.before("loss");
  stage.step();
  for (int k = 0; k < 2 * stage.tokens(); ++k) {
    const int t = k % stage.tokens();
    if (stage.counts(t) && stage.text(t) < stage.plan.model.seq) {
      EXPECT_EQ(stage.words[0][k], alone[k]) << "word " << k;
    }
  }
}

WEFT_KERNEL_CASES(Mask);

}  // namespace
}  // namespace weft::kernels::mask_test
