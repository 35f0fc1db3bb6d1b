#include "host/swarmx/memory/request_queue.hpp"

#include <gtest/gtest.h>

namespace weft::swarmx {
namespace {

TEST(RequestQueue, AreAnsweredAsFarAsTheyAreAsked) {
  RequestQueue requests;
  EXPECT_FALSE(requests.request_more(1, 1)) << "nobody has asked that";
  requests.add(1, 5, 1, 1);
  EXPECT_EQ(requests.take_permission(), RequestQueue::Permission::Send);
  EXPECT_EQ(requests.take_permission(), RequestQueue::Permission::Wait);
  EXPECT_TRUE(requests.request_more(1, 1));
  EXPECT_EQ(requests.take_permission(), RequestQueue::Permission::Send);
  requests.add(2, 6, 1, 2);  // request 1 is cancelled
  EXPECT_EQ(requests.take_permission(), RequestQueue::Permission::Stop);
}

/// The numbers wrap around after 2^32 requests, that is after some weeks.
TEST(RequestQueue, NumbersWrapAround) {
  constexpr std::uint32_t kLast = UINT32_MAX;
  RequestQueue requests;
  requests.add(kLast, 5, 1, kLast);
  EXPECT_FALSE(requests.request_more(0, 1)) << "that is the next";
  requests.add(0, 6, 1, kLast);
  EXPECT_EQ(requests.take_permission(), RequestQueue::Permission::Send);
  EXPECT_TRUE(requests.request_more(kLast, 1));
  EXPECT_TRUE(requests.request_more(0, 1));
  requests.add(1, 7, 1, 0);
  EXPECT_EQ(requests.take_permission(), RequestQueue::Permission::Stop) << "the last before 0";
  requests.end();
  EXPECT_EQ(requests.front().op, 6U);
  EXPECT_EQ(requests.take_permission(), RequestQueue::Permission::Send);
}

}  // namespace
}  // namespace weft::swarmx
