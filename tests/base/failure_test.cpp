/// A thread's exception becomes its owner's failure and does not call std::terminate.
#include "sw/base/failure.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

namespace weft::test {
namespace {

std::string said(const FirstFailure& failure) {
  try {
    failure.check();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "";
}

TEST(FirstFailure, KeepsTheFirstAndWakesOnce) {
  int woken = 0;
  FirstFailure failure([&] { ++woken; });
  failure.set(nullptr);
  EXPECT_FALSE(failure.happened());
  failure.guard([] { throw std::runtime_error("first"); });
  failure.guard([] { throw std::runtime_error("second"); });
  EXPECT_EQ(said(failure), "first");
  EXPECT_EQ(woken, 1);
}

TEST(FirstFailure, AThreadThatThrowsEndsAsItsOwnersFailure) {
  FirstFailure failure;
  guarded_thread(failure, [] { throw std::bad_alloc(); }).join();
  EXPECT_THROW(failure.check(), std::bad_alloc);
}

TEST(FirstFailure, OneOfManyThreadsIsKept) {
  std::atomic<int> woken = 0;
  FirstFailure failure([&] { ++woken; });
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i)
    threads.push_back(guarded_thread(failure, [i] { throw std::runtime_error(std::to_string(i)); }));
  threads.clear();
  EXPECT_EQ(said(failure).size(), 1U);
  EXPECT_EQ(woken, 1);
}

}  // namespace
}  // namespace weft::test
