#include "host/swarmx/memory/request_queue.hpp"

#include <gtest/gtest.h>

namespace weft {
namespace {

TEST(Questions, AreAnsweredAsFarAsTheyAreAsked) {
  Questions questions;
  EXPECT_FALSE(questions.more(1, 1)) << "nobody has asked that";
  questions.ask(1, 5, 1, 1);
  EXPECT_EQ(questions.spend(), Questions::May::Send);
  EXPECT_EQ(questions.spend(), Questions::May::Wait);
  EXPECT_TRUE(questions.more(1, 1));
  EXPECT_EQ(questions.spend(), Questions::May::Send);
  questions.ask(2, 6, 1, 2);  // question 1 is cancelled
  EXPECT_EQ(questions.spend(), Questions::May::Stop);
}

/// The numbers wrap around after 2^32 questions, that is after some weeks.
TEST(Questions, NumbersGoRound) {
  constexpr std::uint32_t kLast = UINT32_MAX;
  Questions questions;
  questions.ask(kLast, 5, 1, kLast);
  EXPECT_FALSE(questions.more(0, 1)) << "that is the next";
  questions.ask(0, 6, 1, kLast);
  EXPECT_EQ(questions.spend(), Questions::May::Send);
  EXPECT_TRUE(questions.more(kLast, 1));
  EXPECT_TRUE(questions.more(0, 1));
  questions.ask(1, 7, 1, 0);
  EXPECT_EQ(questions.spend(), Questions::May::Stop) << "the last before 0";
  questions.end();
  EXPECT_EQ(questions.front().op, 6U);
  EXPECT_EQ(questions.spend(), Questions::May::Send);
}

}  // namespace
}  // namespace weft
