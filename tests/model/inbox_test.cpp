#include "verif/model/machine/inbox.hpp"

#include <gtest/gtest.h>

namespace weft::model::inbox_test {
namespace {

/// Outputs of 100 weights; the consumer is always half an output behind, so the inbox never becomes empty.
TEST(Inbox, ALongStreamThatNeverLeavesItEmptyTakesNoMoreThanAShortOne) {
  Inbox inbox;
  std::uint32_t pushed = 0, taken = 0;
  const auto push = [&](std::uint32_t n) {
    inbox.make_room(n);
    for (const std::uint32_t end = pushed + n; pushed < end; ++pushed) {
      inbox.push_data(pushed);
      if (pushed % 100 == 99) inbox.push_control(pushed);
    }
  };
  push(150);
  std::size_t after_ten = 0;
  for (int portion = 0; portion < 1000; ++portion) {
    push(100);
    const auto run = inbox.run();
    ASSERT_EQ(run.size(), 100U);
    for (const std::uint32_t word : run) ASSERT_EQ(word, taken++);
    ASSERT_FALSE(inbox.control_after(99));
    ASSERT_TRUE(inbox.control_after(100));
    inbox.drop(run.size());
    ASSERT_EQ(inbox.take_control(), taken - 1);
    ASSERT_EQ(inbox.size(), 150U + (pushed / 100 - taken / 100));
    if (portion == 10) after_ten = inbox.bytes();
  }
  EXPECT_EQ(inbox.bytes(), after_ten);
  EXPECT_EQ(inbox.taken(), 101U * 1000);
}

}  // namespace
}  // namespace weft::model::inbox_test
