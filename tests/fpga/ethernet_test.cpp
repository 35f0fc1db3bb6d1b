/// docs/reference/ethernet.md, sentence by sentence: the hosts that the board's carrier answers, and the format of its
/// frames.
#include "tests/fpga/ethernet_frames.hpp"

namespace weft::test {
namespace {

TEST(Ethernet, TellsItsMacToWhoAsksForItsAddress) {
  EthernetBench b;
  b.send(sealed(arp(kHost, kBoard.ip)));
  b.settle();
  ASSERT_EQ(b.sent.size(), 1u) << "once";
  Bytes expected;
  append(expected, kHost.mac);
  append(expected, kBoard.mac);
  append(expected, Bytes{8, 6, 0, 1, 8, 0, 6, 4, 0, 2});
  append(expected, kBoard.mac);
  append(expected, kBoard.ip);
  append(expected, kHost.mac);
  append(expected, kHost.ip);
  EXPECT_EQ(b.sent[0], sealed(expected));
  b.send(sealed(arp(kOther, kBoard.ip, kBoard.mac)));  // a host that asks again addresses the board directly
  b.settle();
  EXPECT_EQ(b.sent.size(), 2u);
  EXPECT_TRUE(b.got.empty());
}

TEST(Ethernet, AnswersNoOtherQuestionOfArp) {
  EthernetBench b;
  Bytes f = arp(kHost, {192, 168, 1, 51});
  b.send(sealed(f));
  for (std::size_t at = 12; at < 22; ++at) {  // each of its fixed fields
    f = arp(kHost, kBoard.ip);
    f[at] ^= 2;
    b.send(sealed(f));
  }
  for (const std::size_t at : {6u, 22u}) {  // from a group address
    f = arp(kHost, kBoard.ip);
    f[at] |= 1;
    b.send(sealed(f));
  }
  f = arp(kHost, kBoard.ip, kHost.mac);  // to another host
  b.send(sealed(f));
  b.settle();
  EXPECT_TRUE(b.sent.empty());
}

TEST(Ethernet, SendsAPingBack) {
  EthernetBench b;
  for (const std::size_t bytes : {0u, 1u, 18u, 56u, 57u, 1472u}) {
    SCOPED_TRACE(bytes);
    b.sent.clear();
    b.send(sealed(ping(kHost, bytes)));
    b.settle();
    ASSERT_EQ(b.sent.size(), 1u);
    Bytes expected = ping(kHost, bytes);  // with the addresses exchanged
    for (std::size_t i = 0; i < 6; ++i) std::swap(expected[i], expected[6 + i]);
    for (std::size_t i = 0; i < 4; ++i) std::swap(expected[26 + i], expected[30 + i]);
    expected[18] = expected[19] = 0;
    expected[24] = expected[25] = expected[34] = expected[36] = expected[37] = 0;
    const std::uint16_t ip = emulator::internet_checksum(std::span(expected).subspan(14, 20));
    const std::uint16_t icmp = emulator::internet_checksum(std::span(expected).subspan(34));
    expected[24] = static_cast<std::uint8_t>(ip >> 8), expected[25] = static_cast<std::uint8_t>(ip);
    expected[36] = static_cast<std::uint8_t>(icmp >> 8), expected[37] = static_cast<std::uint8_t>(icmp);
    EXPECT_EQ(b.sent[0], sealed(expected));
  }
}

TEST(Ethernet, DropsAPingThatIsCutOrNoneAtAll) {
  EthernetBench b;
  Bytes f = ping(kHost, 100);
  f.resize(f.size() - 1);
  b.send(sealed(f));
  for (const std::size_t at : {0u, 23u, 33u, 34u, 35u}) {
    f = ping(kHost, 100);
    f[at] ^= 4;
    b.send(sealed(f));
  }
  b.settle();
  EXPECT_TRUE(b.sent.empty());
  b.send(sealed(ping(kHost, 100)));
  b.settle();
  EXPECT_EQ(b.sent.size(), 1u) << "and the next one is answered";
}

TEST(Ethernet, TakesOnlyHelloFromWhoIsNotTheHost) {
  EthernetBench b;
  b.send(kHost, poll());
  b.send(kHost, data(512));
  b.settle();
  EXPECT_TRUE(b.got.empty()) << "there is no session";
  b.begin();
  b.send(kHost, poll());
  b.settle();
  EXPECT_EQ(b.got, std::vector<Bytes>{poll()});
  b.got.clear();
  emulator::EthernetAddress other = kHost;  // differs in one part only
  other.mac[5] ^= 1;
  b.send(other, poll());
  other = kHost, other.ip[0] ^= 1;
  b.send(other, poll());
  other = kHost, other.port ^= 0x100;
  b.send(other, poll());
  b.send(other, Bytes(100, 0xff));
  b.settle();
  EXPECT_TRUE(b.got.empty());
  b.send(other, EthernetBench::hello(8));
  b.settle();
  EXPECT_EQ(b.got, std::vector<Bytes>{EthernetBench::hello(8)}) << "the session decides what becomes of it";
  b.send(other, poll());
  b.settle();
  EXPECT_EQ(b.got.size(), 1u) << "for it has not begun one";
}

TEST(Ethernet, SendsToTheSessionsHost) {
  EthernetBench b;
  b.begin();
  for (const std::size_t n : {1u, 2u, 255u, 512u}) {
    b.sent.clear();
    b.answer(data(n));
    b.settle();
    ASSERT_EQ(b.sent.size(), 1u);
    const auto d = emulator::unpack(b.sent[0]);
    ASSERT_TRUE(d);
    EXPECT_EQ(d->from, kBoard);
    EXPECT_EQ(d->to, kHost);
    EXPECT_EQ(d->payload, data(n));
    EXPECT_EQ(b.sent[0][22], 64) << "routers";
  }
  b.sent.clear();
  b.answer({7, 0});  // the rest of a frame that a new session cut
  b.settle();
  EXPECT_TRUE(b.sent.empty());
  b.send(kOther, EthernetBench::hello(9));  // the link does not accept it
  b.answer(poll());
  b.settle();
  EXPECT_EQ(emulator::unpack(b.sent.at(0))->to, kHost);
  b.got.clear();
  b.begin(kOther, 10);
  b.sent.clear();
  b.answer(poll());
  b.settle();
  EXPECT_EQ(emulator::unpack(b.sent.at(0))->to, kOther);
}

TEST(Ethernet, SendsNothingOfASessionThatIsOver) {
  for (int at = 1; at < 200; at += 3) {  // cycles from the frame's first byte to the next session
    EthernetBench b;
    b.begin();
    b.send(kOther, EthernetBench::hello(9));
    b.settle();
    b.answer(data(100));
    while (b.up.size() > 113) b.cycle();
    for (int n = 0; n < at; ++n) b.step_line(), b.step_board();
    b.dut.begun_i = 1;
    b.step_board();
    b.dut.begun_i = 0;
    b.settle();
    EXPECT_EQ(b.sent.size(), at < 160 ? 0u : 1u) << at;  // 114 beats and a header of 44
    for (const Bytes& f : b.sent) EXPECT_EQ(emulator::unpack(f).value().to, kHost) << at;
  }
}

TEST(Ethernet, PadsWhatItSendsAndIgnoresWhatIsPadded) {
  EthernetBench b;
  b.begin();
  b.send(kHost, poll());  // 13 bytes in a frame of 55, and five of padding
  b.answer(poll());
  b.settle();
  EXPECT_EQ(b.got, std::vector<Bytes>{poll()});
  ASSERT_EQ(b.sent.size(), 1u);
  EXPECT_EQ(b.sent[0].size(), 64u);
  EXPECT_EQ(emulator::unpack(b.sent[0])->payload, poll());
  Bytes f = emulator::pack({kHost, kBoard, data(512)});
  f.resize(f.size() - 4 + 300, 0xee);  // far more than necessary
  b.send(sealed(f));
  b.settle();
  EXPECT_EQ(b.got.at(1), data(512));
  EXPECT_EQ(b.damaged, 0);
}

TEST(Ethernet, KeepsTwelveBytesBetweenFrames) {
  EthernetBench b;
  b.board_clock = 1;  // so that frames queue up
  b.begin();
  for (int i = 0; i < 6; ++i) b.answer(poll());
  b.settle();
  ASSERT_EQ(b.sent.size(), 6u);
  for (std::size_t i = 1; i < b.gaps.size(); ++i) EXPECT_GE(b.gaps[i], 12);
  EXPECT_EQ(*std::min_element(b.gaps.begin() + 1, b.gaps.end()), 12) << "and not many more";
}

}  // namespace
}  // namespace weft::test
