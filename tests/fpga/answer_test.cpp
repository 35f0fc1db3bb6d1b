/// DEBUG and ANSWER on a line that delays and duplicates: each DEBUG is executed once, and answered with its own bytes.
#include <algorithm>

#include "tests/fpga/link_bench.hpp"

namespace weft::test {
namespace {

constexpr std::size_t kPayload = 5 * kRows * 3;  // a transaction of six nodes
constexpr int kDone = 400;                       // cycles until it is executed and answered

/// In this bench the bits shifted out return unchanged.
Bytes payload(std::uint32_t i) {
  Bytes bytes(kPayload);
  for (std::size_t k = 0; k < bytes.size(); ++k) bytes[k] = static_cast<std::uint8_t>(i * 37 + k);
  return bytes;
}

Frame debug(const LinkBench& bench, std::uint32_t i) {
  Frame f = bench.frame(kDebug, payload(i));
  f.seq = i;
  return f;
}

TEST(Answer, IsThatOfItsDebug) {
  LinkBench bench;
  bench.begin();
  for (bench.debugs = 0; bench.debugs < 3; ++bench.debugs)
    for (int again = 0; again < 3; ++again) {
      bench.send(debug(bench, bench.debugs));
      const auto answer = bench.answer(kAnswer, kDone);
      ASSERT_TRUE(answer) << bench.debugs << " " << again;
      EXPECT_EQ(answer->seq, bench.debugs);
      EXPECT_EQ(answer->payload, payload(bench.debugs));
    }
}

/// The last answer is requested again while the line is blocked, and then the next DEBUG arrives.
TEST(Answer, LastAnswerIsNotSentAsTheNextOne) {
  for (int delay = 0; delay < 2 * kDone; delay += 29) {
    SCOPED_TRACE(delay);
    LinkBench bench;
    bench.begin();
    bench.send(debug(bench, 0));
    ASSERT_TRUE(bench.answer(kAnswer, kDone));
    bench.line_percent = 0;
    bench.outlets[0].push_back(1);
    bench.run(700);  // its DATA is being sent
    bench.send(debug(bench, 0));
    bench.debugs = 1;
    bench.send(debug(bench, 1));
    bench.run(delay);
    bench.line_percent = 100;
    const auto answer = bench.answer(kAnswer, 2 * kDone);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->seq, 1u);
    EXPECT_EQ(answer->payload, payload(1));
  }
}

/// While the first DEBUG is executed, any other has no effect and is not answered.
TEST(Answer, UnfinishedAnswerIsNotSent) {
  for (const std::uint32_t other : {0u, 1u}) {
    SCOPED_TRACE(other);
    LinkBench bench;
    bench.begin();
    bench.send(debug(bench, 0));
    bench.run(20);
    bench.send(debug(bench, other));
    const auto answer = bench.answer(kAnswer, 2 * kDone);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->seq, 0u);
    EXPECT_EQ(answer->payload, payload(0));
    bench.debugs = 1;
    bench.send(debug(bench, 1));
    const auto next = bench.answer(kAnswer, kDone);
    ASSERT_TRUE(next);
    EXPECT_EQ(next->payload, payload(1));
  }
}

/// Before a session's first DEBUG there is none to repeat, also if the session begins while one is being executed.
TEST(Answer, IsNotCausedByDebugOfAnotherSession) {
  LinkBench bench;
  bench.begin(5);
  for (std::uint32_t id = 6; id < 9; ++id) {
    EXPECT_FALSE((bench.send(debug(bench, ~0u)), bench.answer(kAnswer, kDone)));
    bench.send(debug(bench, 0));
    if (id % 2 == 0) {
      ASSERT_TRUE(bench.answer(kAnswer, kDone));
    }
    bench.run(30);  // 7: it is being executed
    bench.frames.clear();
    bench.hello(id, bench.session);
    bench.session = id, bench.seq = 0;
    bench.run(kDone);
    ASSERT_EQ(bench.frames.size(), 1u) << "no ANSWER of the session before";
    EXPECT_EQ(bench.frames[0].kind, kAbout);
    bench.frames.clear();
  }
  bench.send(debug(bench, 0));
  const auto answer = bench.answer(kAnswer, kDone);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->payload, payload(0));
}

/// A payload must consist of whole transactions. The last transaction of any other payload would be executed with bytes
/// of the frame before, and its output would overwrite the first one's.
TEST(Answer, AnswersWholeTransactionsOnly) {
  LinkBench bench;
  bench.begin();
  bench.send(debug(bench, 0));
  ASSERT_TRUE(bench.answer(kAnswer, kDone));
  bench.debugs = 1;
  std::uint64_t refused = 0;
  for (const std::size_t length : {1u, 5u, 29u, 31u, 59u, 479u, 481u, 505u, 511u, 512u}) {
    SCOPED_TRACE(length);
    Frame f = bench.frame(kDebug, Bytes(length, 0x5a));
    for (const std::uint32_t seq : {0u, 1u}) {
      f.seq = seq;
      bench.send(f);
      EXPECT_FALSE(bench.answer(kAnswer, 20 * kDone));
      EXPECT_EQ(bench.status().bad, ++refused);
    }
  }
  bench.send(debug(bench, 1));
  const auto one = bench.answer(kAnswer, kDone);
  ASSERT_TRUE(one) << "none of them was done";
  EXPECT_EQ(one->payload, payload(1));
  Frame longest = bench.frame(kDebug, Bytes(512 / kPayload * kPayload, 0x5a));
  bench.debugs = longest.seq = 2;
  bench.send(longest);
  const auto all = bench.answer(kAnswer, 20 * kDone);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->payload, longest.payload);
}

TEST(Answer, AnOldDebugIsNotDoneAgain) {
  LinkBench bench;
  bench.begin();
  const Bytes old = encode(debug(bench, 0));
  for (bench.debugs = 0; bench.debugs < 256; ++bench.debugs) {
    bench.send(debug(bench, bench.debugs));
    ASSERT_TRUE(bench.answer(kAnswer, kDone)) << bench.debugs;
  }
  EXPECT_EQ(bench.status().bad, 0u);
  bench.send(old);  // 256 has the same low byte
  EXPECT_FALSE(bench.answer(kAnswer, kDone));
  EXPECT_EQ(bench.status().bad, 1u);
  bench.send(debug(bench, 256));
  const auto answer = bench.answer(kAnswer, kDone);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->payload, payload(256));
}

}  // namespace
}  // namespace weft::test
