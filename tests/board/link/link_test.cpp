/// Timing and choice of the frames that the host's end of the link sends.
#include "host/board/link/link.hpp"

#include <gtest/gtest.h>

#include "tests/board/fake_board.hpp"

namespace weft::board {
namespace {

constexpr std::uint32_t kSession = 5;

class LinkTest : public testing::Test {
 protected:
  LinkTest() {
    link.open(kSession, 0, now);
    EXPECT_EQ(next(), Kind::Hello);
    Frame info{.session = kSession, .kind = Kind::About};
    info.payload = info_bytes(info_of({.rows = 4, .cols = 2}));
    link.receive(encode(info), now);
    EXPECT_TRUE(link.is_open());
  }
  /// The kind of the frame to send now, if any.
  std::optional<Kind> next() {
    const auto frame = link.next(now, true);
    if (frame) last = *frame;
    return frame ? std::optional(frame->kind) : std::nullopt;
  }
  void data(std::uint32_t seq) {
    link.receive(encode({.session = kSession, .kind = Kind::Data, .seq = seq, .payload = {1}}), now);
  }

  Link link;
  Time now{std::chrono::hours(1)};
  Frame last;
};

TEST_F(LinkTest, AnswersEverySecondDataAtOnce) {
  for (std::uint32_t seq = 0; seq < 600; seq += 2) {
    data(seq);
    EXPECT_EQ(next(), std::nullopt) << seq;
    data(seq + 1);
    EXPECT_EQ(next(), Kind::Ack) << seq;
    EXPECT_EQ(last.ack, seq + 2);
    EXPECT_EQ(next(), std::nullopt);
    EXPECT_EQ(link.wake(), std::nullopt) << "nothing is owed";
  }
  EXPECT_EQ(link.received().size(), 600U);
}

TEST_F(LinkTest, AnswersOneThatNoOtherFollowsAWhileLater) {
  data(0);
  ASSERT_EQ(link.wake(), now + Link::kAckAfter);
  now += Link::kAckAfter;
  EXPECT_EQ(next(), Kind::Ack);
  EXPECT_EQ(last.ack, 1U);
  data(1);
  link.answer_now();
  EXPECT_EQ(next(), Kind::Ack);
  link.answer_now();
  EXPECT_EQ(next(), std::nullopt);
}

TEST_F(LinkTest, AnswersAtOnceWhatItDoesNotTake) {
  data(3);
  EXPECT_EQ(next(), Kind::Ack);
  EXPECT_EQ(last.ack, 0U);
  data(0);
  data(0);
  EXPECT_EQ(next(), Kind::Ack);
  EXPECT_EQ(last.ack, 1U);
}

TEST_F(LinkTest, AnswersInItsOwnData) {
  data(0);
  data(1);
  const Bytes some(10);
  link.enqueue(some);
  EXPECT_EQ(next(), Kind::Data);
  EXPECT_EQ(last.ack, 2U);
  EXPECT_EQ(next(), std::nullopt);
}

TEST_F(LinkTest, ASecondStatusThatIsTheFirstOneAnswersNothing) {
  Frame status{.session = kSession, .kind = Kind::Status, .payload = Bytes(42 + 4 * 3)};
  status.payload[41] = 4;  // rows
  for (std::uint8_t cycles = 0; cycles < 3; ++cycles) {
    status.payload[0] = cycles;
    link.ask(now);
    link.receive(encode(status), now);
    EXPECT_FALSE(link.waits_for_status());
    link.ask(now);
    link.receive(encode(status), now);
    EXPECT_TRUE(link.waits_for_status()) << "it came twice";
  }
}

/// The number must be one whose upper bits the board knows, or the board would reject the frame.
TEST_F(LinkTest, SaysByeWithWhatItExpects) {
  for (std::uint32_t seq = 0; seq < 300; ++seq) data(seq);
  EXPECT_TRUE(decode(encode(link.bye_frame()), {.ack = 300}));
}

}  // namespace
}  // namespace weft::board
