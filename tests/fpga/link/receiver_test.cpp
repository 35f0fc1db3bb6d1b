/// The board's handling of malformed and unexpected frames.
#include "tests/fpga/link_bench.hpp"

namespace weft::test {
namespace {

const std::vector<machine::Message> kTwo = {{0x12345678, true}, {0x00c0ffee, false}};

TEST(Receiver, DropsAFrameWithAnyBitFlipped) {
  LinkBench bench;
  bench.begin();
  Frame f = bench.frame(kData, messages_record(kTwo));
  const Bytes good = encode(f);
  for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
    Bytes bytes = good;
    bytes[bit / 8] ^= static_cast<std::uint8_t>(1u << (bit % 8));
    bench.send(bytes);
  }
  bench.run(300);
  EXPECT_TRUE(bench.frames.empty());
  EXPECT_TRUE(bench.valve.empty());
  EXPECT_EQ(bench.status().bad, good.size() * 8);
  bench.send(good);
  bench.run(50);
  EXPECT_EQ(bench.valve, kTwo);
}

TEST(Receiver, DropsAFrameThatIsCut) {
  LinkBench bench;
  bench.begin();
  const Bytes good = encode(bench.frame(kData, messages_record(kTwo)));
  for (std::size_t n = 0; n < good.size(); ++n)
    bench.send(Bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(n)));
  bench.send(good, true);  // whole, but the line reports damage
  bench.run(300);
  EXPECT_TRUE(bench.frames.empty());
  EXPECT_EQ(bench.status().bad, good.size()) << "of no byte is no frame";
  bench.send(good);
  bench.run(50);
  EXPECT_EQ(bench.valve, kTwo);
}

TEST(Receiver, DropsPayloadsThatAreNotAsLongAsTheirKindSays) {
  LinkBench bench;
  bench.begin();
  std::uint32_t bad = 0;
  const auto drop = [&](std::uint8_t kind, std::size_t n) {
    bench.send(bench.frame(kind, Bytes(n, 1)));
    EXPECT_FALSE(bench.answer(kAck)) << int{kind} << " with " << n;
    EXPECT_EQ(bench.status().bad, ++bad) << int{kind} << " with " << n;
  };
  drop(kData, 0);
  drop(kData, 513);
  drop(kData, 1100);
  drop(kAck, 1);
  drop(kPoll, 1);
  drop(kBye, 4);
  drop(kHello, 3);
  drop(kHello, 5);
  bench.data(Bytes(512, 1));
  EXPECT_TRUE(bench.answer(kAck)) << "512 are right";
}

TEST(Receiver, GarbageBetweenFramesCostsNothingElse) {
  LinkBench bench;
  Rng rng(test_seed());
  bench.begin();
  std::vector<machine::Message> expected;
  for (std::uint32_t i = 0; i < 300; ++i) {
    Bytes noise(1 + rng.below(700));
    for (std::uint8_t& b : noise) b = static_cast<std::uint8_t>(rng.below(256));
    if (rng.chance(50)) {  // that looks right at first
      noise = encode(bench.frame(kData, noise));
      noise.resize(noise.size() - 1 - rng.below(4));
    }
    bench.send(noise, rng.chance(30));
    expected.push_back({i * 0x01010101, i % 3 == 0});
    bench.stream(messages_record({expected.back()}));
  }
  bench.run(50);
  EXPECT_EQ(bench.valve, expected);
  EXPECT_EQ(bench.status().bad, 300u);
}

/// While the ring is full, a frame that does not fit is dropped as a whole, and accepted when it is sent again.
TEST(Receiver, TakesNothingForWhichThereIsNoRoom) {
  LinkBench bench;
  bench.begin();
  bench.valve_percent = 0;
  std::vector<machine::Message> all;
  for (std::uint32_t i = 0; i < 1500; ++i) all.push_back({i, false});
  const Bytes stream = messages_record(all);
  std::size_t at = 0;
  const auto piece = [&](std::size_t n) {
    return Bytes(stream.begin() + static_cast<std::ptrdiff_t>(at),
                 stream.begin() + static_cast<std::ptrdiff_t>(at + n));
  };
  while (bench.room >= 512) {
    const std::size_t before = bench.room;
    bench.data(piece(512));
    at += 512;
    ASSERT_TRUE(bench.answer(kAck));
    EXPECT_GE(bench.room, before - 512) << "the expander may have taken some";
  }
  const std::size_t left = bench.room;
  Frame f = bench.frame(kData, piece(left + 1));
  f.seq = bench.seq;
  for (int i = 0; i < 3; ++i) {
    bench.send(f);
    const auto ack = bench.answer(kAck);
    ASSERT_TRUE(ack);
    EXPECT_EQ(ack->ack, bench.seq);
    EXPECT_EQ(ack->room, left);
  }
  bench.data(piece(left));
  at += left;
  ASSERT_TRUE(bench.answer(kAck));
  EXPECT_EQ(bench.room, 0u);
  EXPECT_EQ(bench.status().unwanted, 3u);
  bench.valve_percent = 60;
  bench.stream(Bytes(stream.begin() + static_cast<std::ptrdiff_t>(at), stream.end()), 100);
  bench.run(40000);
  EXPECT_EQ(bench.valve, all);
}

/// A host that adds the bytes it has sent after `ack` to those in `room` must never send too much.
TEST(Receiver, RoomBelongsToTheAckInTheSameFrame) {
  for (int delay = 0; delay < 40; ++delay) {
    LinkBench bench;
    bench.begin();
    bench.valve_percent = 0;
    bench.data(messages_record(std::vector<machine::Message>(30)));  // the expander blocks in this
    bench.run(300);
    bench.frames.clear();
    bench.status();
    const std::size_t room = bench.room;
    bench.line_percent = 0;
    bench.send(bench.frame(kPoll));
    Frame f = bench.frame(kData, Bytes(100));
    f.seq = bench.seq;
    const Bytes bytes = encode(f);
    // The frame is decided while the header is being sent.
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      bench.dut.rx_valid_i = 1;
      bench.dut.rx_beat_i = bytes[i];
      if (i + static_cast<std::size_t>(delay) / 2 >= bytes.size()) bench.line_percent = 100;
      bench.cycle();
    }
    bench.dut.rx_beat_i = 0x100;
    bench.cycle();
    bench.dut.rx_valid_i = 0;
    bench.line_percent = delay % 2 ? 50 : 100;
    bench.run(400);
    ASSERT_GE(bench.frames.size(), 2u);
    for (const Frame& frame : bench.frames)
      EXPECT_EQ(frame.room, room - (frame.ack == 2 ? 100 : 0)) << "delay " << delay;
  }
}

TEST(Receiver, TellsWhenRoomHasGrownByAQuarter) {
  LinkBench bench;
  bench.begin();
  bench.valve_percent = 0;
  const std::vector<machine::Message> all(800, machine::Message{7, true});
  bench.stream(messages_record(all));
  bench.run(300);
  bench.frames.clear();
  const std::size_t announced = bench.room;
  EXPECT_LT(announced, 200u);
  bench.valve_percent = 100;
  for (int i = 0; bench.frames.empty() && i < 5000; ++i) bench.cycle();
  ASSERT_EQ(bench.frames.size(), 1u);
  EXPECT_EQ(bench.frames[0].kind, kAck);
  EXPECT_GE(bench.room, announced + 1024);
  EXPECT_LE(bench.room, announced + 1040);
  bench.run(6000);
  EXPECT_EQ(bench.frames.size(), 3u) << "4000 bytes are three quarters and some";
  EXPECT_EQ(bench.valve, all);
}

}  // namespace
}  // namespace weft::test
