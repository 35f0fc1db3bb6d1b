/// docs/ethernet.md, sentence by sentence: what the board's carrier passes, answers and drops.
#include <algorithm>
#include <functional>

#include "tests/fpga/ethernet_bench.hpp"

namespace weft::test {
namespace {

template <class T>
void append(Bytes& to, const T& bytes) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}

constexpr std::array<std::uint8_t, 6> kAll{255, 255, 255, 255, 255, 255};

/// Without its checksum.
Bytes arp(const EthernetAddress& from, const std::array<std::uint8_t, 4>& wanted,
          const std::array<std::uint8_t, 6>& to = kAll) {
  Bytes f;
  append(f, to);
  append(f, from.mac);
  append(f, Bytes{8, 6, 0, 1, 8, 0, 6, 4, 0, 1});
  append(f, from.mac);
  append(f, from.ip);
  f.resize(f.size() + 6);
  append(f, wanted);
  return f;
}

Bytes ping(const EthernetAddress& from, std::size_t bytes) {
  Bytes f;
  append(f, kBoard.mac);
  append(f, from.mac);
  append(f, Bytes{8, 0, 0x45, 0});
  const std::size_t total = 28 + bytes;
  append(f, Bytes{static_cast<std::uint8_t>(total >> 8), static_cast<std::uint8_t>(total), 1, 2, 0x40, 0, 64, 1, 0, 0});
  append(f, from.ip);
  append(f, kBoard.ip);
  append(f, Bytes{8, 0, 0, 0, 0x12, 0x34, 0, 1});
  for (std::size_t i = 0; i < bytes; ++i) f.push_back(static_cast<std::uint8_t>(i * 7));
  const auto sum = [&](std::size_t at, std::size_t begin, std::size_t end) {
    const std::uint16_t s = internet_checksum(std::span(f).subspan(begin, end - begin));
    f[at] = static_cast<std::uint8_t>(s >> 8), f[at + 1] = static_cast<std::uint8_t>(s);
  };
  sum(24, 14, 34);
  sum(36, 34, f.size());
  return f;
}

Bytes sealed(Bytes f) {
  seal(f);
  return f;
}

Bytes poll() { return encode({.session = 7, .kind = kPoll}); }

Bytes data(std::size_t bytes) {
  Frame f{.session = 7, .kind = kData};
  for (std::size_t i = 0; i < bytes; ++i) f.payload.push_back(static_cast<std::uint8_t>(i * 11));
  return encode(f);
}

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
  b.send(sealed(arp(kOther, kBoard.ip, kBoard.mac)));  // a host that asks again does so in person
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
  for (const std::size_t at : {6u, 22u}) {  // a group asks
    f = arp(kHost, kBoard.ip);
    f[at] |= 1;
    b.send(sealed(f));
  }
  f = arp(kHost, kBoard.ip, kHost.mac);  // and not the board
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
    Bytes expected = ping(kHost, bytes);  // with the addresses changed about
    for (std::size_t i = 0; i < 6; ++i) std::swap(expected[i], expected[6 + i]);
    for (std::size_t i = 0; i < 4; ++i) std::swap(expected[26 + i], expected[30 + i]);
    expected[18] = expected[19] = 0;
    expected[24] = expected[25] = expected[34] = expected[36] = expected[37] = 0;
    const std::uint16_t ip = internet_checksum(std::span(expected).subspan(14, 20));
    const std::uint16_t icmp = internet_checksum(std::span(expected).subspan(34));
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
  EthernetAddress other = kHost;  // in one thing alone
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
    const auto d = unpack(b.sent[0]);
    ASSERT_TRUE(d);
    EXPECT_EQ(d->from, kBoard);
    EXPECT_EQ(d->to, kHost);
    EXPECT_EQ(d->payload, data(n));
    EXPECT_EQ(b.sent[0][22], 64) << "routers";
  }
  b.sent.clear();
  b.answer({7, 0});  // what is left of a frame that a new session cut
  b.settle();
  EXPECT_TRUE(b.sent.empty());
  b.send(kOther, EthernetBench::hello(9));  // which the link does not take
  b.answer(poll());
  b.settle();
  EXPECT_EQ(unpack(b.sent.at(0))->to, kHost);
  b.got.clear();
  b.begin(kOther, 10);
  b.sent.clear();
  b.answer(poll());
  b.settle();
  EXPECT_EQ(unpack(b.sent.at(0))->to, kOther);
}

TEST(Ethernet, SendsNothingOfASessionThatIsOver) {
  for (int at = 1; at < 200; at += 3) {  // cycles from the frame's first byte to the next session
    EthernetBench b;
    b.begin();
    b.send(kOther, EthernetBench::hello(9));
    b.settle();
    b.answer(data(100));
    while (b.up.size() > 113) b.cycle();
    for (int n = 0; n < at; ++n) b.step_board();
    b.dut.begun_i = 1;
    b.step_board();
    b.dut.begun_i = 0;
    b.settle();
    EXPECT_EQ(b.sent.size(), at < 160 ? 0u : 1u) << at;  // 114 beats and a header of 44
    for (const Bytes& f : b.sent) EXPECT_EQ(unpack(f).value().to, kHost) << at;
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
  EXPECT_EQ(unpack(b.sent[0])->payload, poll());
  Bytes f = pack({kHost, kBoard, data(512)});
  f.resize(f.size() - 4 + 300, 0xee);  // far more than there need be
  b.send(sealed(f));
  b.settle();
  EXPECT_EQ(b.got.at(1), data(512));
  EXPECT_EQ(b.damaged, 0);
}

TEST(Ethernet, KeepsTwelveBytesBetweenFrames) {
  EthernetBench b;
  b.board_clock = 1;  // so that they wait for each other
  b.begin();
  for (int i = 0; i < 6; ++i) b.answer(poll());
  b.settle();
  ASSERT_EQ(b.sent.size(), 6u);
  for (std::size_t i = 1; i < b.gaps.size(); ++i) EXPECT_GE(b.gaps[i], 12);
  EXPECT_EQ(*std::min_element(b.gaps.begin() + 1, b.gaps.end()), 12) << "and not many more";
}

TEST(Ethernet, TakesFramesThatFollowEachOtherClosely) {
  for (const int gap : {12, 8, 4}) {
    EthernetBench b;
    b.begin();
    for (int i = 0; i < 4; ++i) b.send(pack({kHost, kBoard, data(static_cast<std::size_t>(i + 1))}), gap);
    b.settle();
    ASSERT_EQ(b.got.size(), 4u) << gap;
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(b.got[i], data(i + 1));
  }
}

TEST(Ethernet, DropsFramesThatAreNotWhole) {
  EthernetBench b;
  b.begin();
  Bytes f = pack({kHost, kBoard, data(512)});
  for (std::size_t at = 0; at < f.size(); at += 37) {  // a wrong bit
    Bytes wrong = f;
    wrong[at] ^= 1;
    b.send(wrong);
  }
  b.send(Bytes(f.begin(), f.end() - 1));
  Bytes runt = arp(kHost, kBoard.ip);  // not padded
  ASSERT_EQ(runt.size(), 42u);
  Bytes shorter = sealed(runt);
  shorter.assign(runt.begin(), runt.end());
  {
    Bytes padded = runt;
    padded.resize(60);
    seal(padded);
    b.send(Bytes(padded.begin(), padded.begin() + 46));
  }
  b.settle();
  b.send(f);
  b.error_in = 100;  // and a byte that the PHY calls wrong
  b.settle();
  EXPECT_TRUE(b.got.empty());
  EXPECT_TRUE(b.sent.empty());
  b.send(f);
  b.settle();
  EXPECT_EQ(b.got, std::vector<Bytes>{data(512)});
}

TEST(Ethernet, DropsFramesOfLengthsThatEthernetDoesNotHave) {
  EthernetBench b;
  const auto request = [&](std::size_t size) {  // sealed at any length
    Bytes f = arp(kHost, kBoard.ip);
    if (size < 60) {
      // seal() pads; so make the checksum of a shorter one by hand.
      f.resize(size);
      std::uint32_t crc = 0xffffffff;
      for (const std::uint8_t byte : f) {
        crc ^= byte;
        for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
      }
      put(f, ~crc, 4);
    } else {
      f.resize(size);
      seal(f);
    }
    return f;
  };
  b.send(request(59));
  b.send(request(1515));
  b.send(request(4000));
  b.settle();
  EXPECT_TRUE(b.sent.empty());
  b.send(request(60));
  b.send(request(1514));
  b.settle();
  EXPECT_EQ(b.sent.size(), 2u);
}

TEST(Ethernet, DropsWhatIsNoUdpForIt) {
  const Bytes good = pack({kHost, kBoard, data(64)});
  const auto change = [&](const std::function<void(Bytes&)>& what, bool sum = true) {
    Bytes f(good.begin(), good.end() - 4);
    what(f);
    if (sum) {
      f[24] = f[25] = 0;
      const std::uint16_t s = internet_checksum(std::span(f).subspan(14, 20));
      f[24] = static_cast<std::uint8_t>(s >> 8), f[25] = static_cast<std::uint8_t>(s);
    }
    return sealed(f);
  };
  const std::pair<const char*, Bytes> cases[] = {
      {"IP's checksum", change([](Bytes& f) { f[24] ^= 1; }, false)},
      {"another's IP", change([](Bytes& f) { f[33] ^= 1; })},
      {"broadcast of IP", change([](Bytes& f) { std::fill_n(f.begin() + 30, 4, 255); })},
      {"another's MAC", change([](Bytes& f) { f[5] ^= 1; })},
      {"broadcast", change([](Bytes& f) { std::fill_n(f.begin(), 6, 255); })},
      {"from a group", change([](Bytes& f) { f[6] |= 1; })},
      {"another port", change([](Bytes& f) { f[37] ^= 1; })},
      {"another port", change([](Bytes& f) { f[36] ^= 1; })},
      {"first fragment", change([](Bytes& f) { f[20] |= 0x20; })},
      {"fragment", change([](Bytes& f) { f[21] = 1; })},
      {"fragment far behind", change([](Bytes& f) { f[20] |= 0x10; })},
      {"options", change([](Bytes& f) { f[14] = 0x46; })},
      {"version 6", change([](Bytes& f) { f[14] = 0x65; })},
      {"TCP", change([](Bytes& f) { f[23] = 6; })},
      {"UDP is longer than IP", change([](Bytes& f) { f[39] += 1; })},
      {"UDP is shorter than IP", change([](Bytes& f) { f[39] -= 1; })},
      {"UDP's length, high", change([](Bytes& f) { f[38] ^= 1; })},
      {"IP of 2,040 bytes", change([](Bytes& f) { f[16] = 7, f[17] = 0xf8; })},
      {"IP of 2,048 bytes more", change([](Bytes& f) { f[16] |= 8; })},
      {"IP of 65,000 bytes", change([](Bytes& f) { f[16] = 0xff; })},
      {"IP of 27 bytes", change([](Bytes& f) { f[16] = 0, f[17] = 27, f[38] = 0, f[39] = 7; })},
      {"VLAN", change([](Bytes& f) { f[12] = 0x81; })},
      {"VLAN in between", change(
                              [](Bytes& f) {
                                f.insert(f.begin() + 12, {0x81, 0, 0, 1});
                              },
                              false)},
      {"a group of Ethernet", change([](Bytes& f) { f[0] |= 1; })},
  };
  for (const auto& [name, frame] : cases) {
    SCOPED_TRACE(name);
    EthernetBench b;
    b.begin();
    b.send(frame);
    b.settle();
    EXPECT_TRUE(b.got.empty());
    EXPECT_TRUE(b.sent.empty());
    b.send(good);
    b.settle();
    EXPECT_EQ(b.got, std::vector<Bytes>{data(64)}) << "what comes next";
  }
  EthernetBench b;
  b.begin();
  b.send(change([](Bytes& f) { f[15] = 0xb8, f[18] = 1, f[20] = 0, f[22] = 1, f[40] = 5; }));
  b.settle();
  EXPECT_EQ(b.got.size(), 1u) << "service, number, may be cut, routers, UDP's checksum: as they like";
}

TEST(Ethernet, EndsADatagramAsDamagedThatEndsBeforeItsLength) {
  EthernetBench b;
  b.begin();
  Bytes f = pack({kHost, kBoard, data(200)});
  f.resize(f.size() - 4 - 20);
  b.send(sealed(f));
  b.settle();
  EXPECT_EQ(b.damaged, 1);
  b.send(kHost, data(200));
  b.settle();
  EXPECT_EQ(b.damaged, 1);
  EXPECT_EQ(b.got.back(), data(200));
}

TEST(Ethernet, TakesDatagramsAsLongAsAFrameIs) {
  EthernetBench b;
  b.begin();
  Bytes payload(kMostPayload);
  for (std::size_t i = 0; i < payload.size(); ++i) payload[i] = static_cast<std::uint8_t>(i * 5);
  b.ready_percent = 40;
  for (int i = 0; i < 2; ++i) b.send(kHost, payload);
  b.send(kHost, poll());
  b.settle();
  EXPECT_EQ(b.got, (std::vector<Bytes>{payload, payload, poll()}));
}

TEST(Ethernet, DropsWholePacketsWhenItCannotFollow) {
  const std::uint64_t seed = test_seed();
  EthernetBench b;
  b.dice = Dice(seed);
  b.begin();
  b.ready_percent = 10;  // 4 MB/s are taken of 125
  std::vector<Bytes> all;
  for (int i = 0; i < 300; ++i) {
    all.push_back(data(1 + b.dice.below(512)));
    b.send(kHost, all.back());
  }
  b.settle();
  EXPECT_GT(b.got.size(), 8u);
  EXPECT_LT(b.got.size(), 200u);
  std::size_t at = 0;
  for (const Bytes& f : b.got) {
    while (at < all.size() && all[at] != f) ++at;
    ASSERT_LT(at++, all.size()) << "each is one that was sent, whole and in order";
  }
  EXPECT_EQ(b.damaged, 0);
  b.ready_percent = 100;
  b.got.clear();
  for (int i = 0; i < 8; ++i) b.send(kHost, data(500));
  b.settle();
  EXPECT_EQ(b.got.size(), 8u) << "what a host may send at once finds room";
}

/// A quick reader that was away: there is no room in a frame's middle, and at its end there is.
TEST(Ethernet, DropsAFrameThatFoundNoRoomForAWhile) {
  const std::uint64_t seed = test_seed();
  EthernetBench b;
  b.dice = Dice(seed);
  b.begin();
  b.board_clock = 1;
  std::vector<Bytes> all;
  for (int i = 0; i < 300; ++i) {
    all.push_back(data(1 + b.dice.below(512)));
    b.send(kHost, all.back());
  }
  while (!b.line.empty()) {
    b.ready_percent = b.ready_percent == 0 ? 100 : 0;
    for (std::uint32_t n = 200 + b.dice.below(6000); n > 0; --n) {
      b.cycle();
      if (b.ready_percent) b.step_board(), b.step_board();
    }
  }
  b.ready_percent = 100;
  b.settle();
  EXPECT_LT(b.got.size(), 300u);
  std::size_t at = 0;
  for (const Bytes& f : b.got) {
    while (at < all.size() && all[at] != f) ++at;
    ASSERT_LT(at++, all.size()) << "each is one that was sent, whole and in order";
  }
}

/// Also frames that are nearly right. A board that answered one would be used against others.
TEST(Ethernet, NeverAnswersRandomFramesAndNeverStops) {
  const std::uint64_t seed = test_seed();
  EthernetBench b;
  b.dice = Dice(seed);
  b.begin();
  const Bytes models[] = {sealed(arp(kHost, kBoard.ip)), sealed(ping(kHost, 30)), pack({kHost, kBoard, data(40)})};
  for (int i = 0; i < 10000; ++i) {
    Bytes f;
    const auto kind = b.dice.below(4);
    if (kind == 3) {
      f.resize(b.dice.below(200));
      for (std::uint8_t& byte : f) byte = static_cast<std::uint8_t>(b.dice.next());
      if (b.dice.chance(50)) seal(f);
    } else {  // a bit is wrong in what must be so, and the checksum is right
      f.assign(models[kind].begin(), models[kind].end() - 4);
      static constexpr std::size_t kFixed[3][6] = {
          {0, 12, 13, 15, 21, 41}, {0, 13, 14, 23, 33, 34}, {0, 12, 14, 21, 30, 37}};
      f[kFixed[kind][b.dice.below(6)]] ^= static_cast<std::uint8_t>(2u << b.dice.below(2));
      seal(f);
    }
    b.send(f, 4 + static_cast<int>(b.dice.below(20)));
    if (i % 100 == 99) b.settle();
  }
  b.settle();
  EXPECT_TRUE(b.sent.empty());
  EXPECT_TRUE(b.got.empty());
  b.send(kHost, poll());
  b.send(sealed(arp(kHost, kBoard.ip)));
  b.settle();
  EXPECT_EQ(b.got.size(), 1u);
  EXPECT_EQ(b.sent.size(), 1u);
}

TEST(Ethernet, IsSilentAfterAResetInTheMiddle) {
  for (int at = 1; at < 900; at += 13) {
    EthernetBench b;
    b.begin();
    b.send(kHost, data(200));
    b.send(sealed(ping(kHost, 200)));
    b.answer(data(100));
    b.run(at);
    b.dut.rst_i = 1;
    b.step_line();
    b.step_board();
    b.step_board();
    b.dut.rst_i = 0;
    b.line.clear();
    b.up.clear();
    b.now.clear();
    b.run(30);
    b.now.clear();
    b.got.clear(), b.sent.clear(), b.frame.clear();
    b.settle();
    EXPECT_TRUE(b.got.empty() && b.sent.empty()) << at;
    b.send(kHost, poll());
    b.settle();
    EXPECT_TRUE(b.got.empty()) << "the host is forgotten";
    b.begin();
    b.answer(poll());
    b.settle();
    EXPECT_EQ(b.sent.size(), 1u) << at;
  }
}

}  // namespace
}  // namespace weft::test
