#include "host/swarmx/tree/contribution_builder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "host/memoryx/fixed_point.hpp"
#include "host/swarmx/base/error.hpp"
#include "host/swarmx/protocol/loss.hpp"
#include "host/swarmx/protocol/pass_returns.hpp"
#include "host/swarmx/protocol/payload.hpp"
#include "sw/base/token_id.hpp"
#include "sw/compiler/stream/gradient_order.hpp"
#include "tests/swarmx/contributed.hpp"
#include "tests/swarmx/fake.hpp"

namespace weft::swarmx {
namespace {

std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }

TEST(ContributionBuilder, SortsWordsIntoOpsHoweverTheyTrickleIn) {
  const compiler::Plan plan = fake_plan();
  const auto wafer = make_fake_wafer(plan, {});
  ContributionBuilder builder(plan, *wafer);
  builder.begin(plan.ops.size(), 4, 9);
  EXPECT_FALSE(builder.complete());
  std::vector<Frame> frames;
  std::vector<std::int64_t> gradient;  // gradient of op 2, row 0 then row 1
  const auto rows = compiler::gradient_parameters(plan.ops[2]);
  for (const std::size_t r : {1U, 0U}) {  // row 1 is complete before row 0 begins
    std::vector<std::uint32_t> words;
    for (std::size_t i = 0; i < plan.ops[1].returned[r]; ++i) words.push_back(bits(1.0F));
    for (std::size_t i = 0; i < rows[r].size(); ++i) words.push_back(bits(static_cast<float>(i % 1000) + 1000.0F * r));
    for (std::size_t i = 0; i < plan.ops[3].returned[r]; ++i) words.push_back(bits(0.5F));
    words.push_back(0);
    for (std::size_t at = 0; at < words.size(); at += 777) {
      const std::size_t end = std::min(words.size(), at + 777);
      auto& outlet = wafer->outlet(static_cast<int>(r));
      outlet.insert(outlet.end(), words.begin() + static_cast<long>(at), words.begin() + static_cast<long>(end));
      while (builder.take(frames)) {
      }
    }
  }
  EXPECT_TRUE(builder.complete());
  EXPECT_EQ(builder.totals()[1], rows[1].size() + 500 + 1);
  ASSERT_EQ(frames.size(), 1U + parts(plan.ops[2]) + 1U);
  EXPECT_EQ(contributed(frames[0]).values, (std::vector<std::int64_t>{16LL << kLossBits, 16}));
  std::ranges::sort(frames.begin() + 1, frames.end() - 1, {}, &Frame::part);
  for (std::uint32_t part = 0; part < parts(plan.ops[2]); ++part) {
    ASSERT_EQ(frames[1 + part].part, part);
    const auto [of, values] = contributed(frames[1 + part]);
    EXPECT_EQ(of, std::vector<std::uint32_t>{9});
    gradient.insert(gradient.end(), values.begin(), values.end());
  }
  ASSERT_EQ(gradient.size(), plan.parameters);
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    const std::size_t expected = i < rows[0].size() ? i % 1000 : (i - rows[0].size()) % 1000 + 1000;
    ASSERT_EQ(gradient[i], static_cast<std::int64_t>(expected) << memoryx::kGradientBits) << i;
  }
}

/// The rows of a wafer return together, so waiting for the last row's last word would delay nearly all of a large
/// gradient.
TEST(ContributionBuilder, APartIsSentUpWhenItsLastWordHasArrived) {
  const compiler::Plan plan = fake_plan();
  const auto wafer = make_fake_wafer(plan, {});
  ContributionBuilder builder(plan, *wafer);
  builder.begin(plan.ops.size(), 4, 9);
  const auto parts_after = [&](std::size_t row, std::size_t words) {
    auto& outlet = wafer->outlet(static_cast<int>(row));
    outlet.insert(outlet.end(), words, bits(1));
    std::vector<Frame> frames;
    while (builder.take(frames)) {
    }
    EXPECT_TRUE(outlet.empty()) << "what is in its part waits no longer";
    std::vector<std::uint32_t> numbers;
    for (const Frame& frame : frames)
      if (frame.type == FrameType::Gradient) numbers.push_back(frame.part);
    return numbers;
  };
  using Numbers = std::vector<std::uint32_t>;
  parts_after(0, returned(plan.ops[1], 0));  // the loss
  const std::size_t above = returned(plan.ops[2], 0);
  ASSERT_EQ(parts(plan.ops[2]), 2U);
  ASSERT_GT(above, kPartValues) << "the first part is the first row's alone";
  EXPECT_EQ(parts_after(1, returned(plan.ops[2], 1)), Numbers{});
  EXPECT_EQ(parts_after(0, kPartValues - 1), Numbers{});
  EXPECT_EQ(parts_after(0, 1), Numbers{0});
  EXPECT_EQ(parts_after(0, above - kPartValues - 1), Numbers{});
  EXPECT_EQ(parts_after(0, 1), Numbers{1});
}

TEST(Loss, CountsTokensOnlyAndRefusesWhatIsNoNumber) {
  const compiler::Plan plan = fake_plan();
  std::vector<std::uint32_t> words(32, bits(std::numeric_limits<float>::quiet_NaN()));
  double expected = 0;
  std::int64_t tokens = 0;
  for (int at = 0; at < 16; ++at) {
    if (!plan.is_token(at / 8, at % 8, 1)) continue;
    words[static_cast<std::size_t>(at)] = bits(1.5F + static_cast<float>(at));
    words[static_cast<std::size_t>(16 + at)] = bits(0.25F);
    expected += std::log(1.5 + at) + 0.25;
    ++tokens;
  }
  const LossSum loss = loss_of(plan, words, 1);
  EXPECT_EQ(loss.tokens, tokens);
  EXPECT_EQ(tokens, 4);
  EXPECT_NEAR(std::ldexp(static_cast<double>(loss.sum), -kLossBits), expected, 1e-8);
  EXPECT_THROW(loss_of(plan, words, 2), LossNotFinite);
}

TEST(Loss, UnlabeledTokenCountsForNothing) {
  const compiler::Plan plan = fake_plan();
  std::vector<std::uint32_t> words(32, bits(1));
  const LossSum all = loss_of(plan, words, 1, std::vector<TokenId>(4, 1));
  EXPECT_EQ(all.tokens, 4);
  for (int at = 0; at < 16; ++at) {
    if (plan.token_at(at / 8, at % 8, 1) == 2) words[static_cast<std::size_t>(at)] = bits(NAN);
  }
  const LossSum three = loss_of(plan, words, 1, std::vector<TokenId>{1, 1, kNoLabel, 1});
  EXPECT_EQ(three.tokens, 3);
  EXPECT_EQ(4 * three.sum, 3 * all.sum);
  EXPECT_THROW(loss_of(plan, words, 1, std::vector<TokenId>{1, 1, 1, kNoLabel}), LossNotFinite);
}

}  // namespace
}  // namespace weft::swarmx
