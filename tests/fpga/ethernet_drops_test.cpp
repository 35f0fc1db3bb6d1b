/// docs/reference/ethernet.md, sentence by sentence: which frames the board's carrier takes, and which it drops.
#include "tests/fpga/ethernet_frames.hpp"

namespace weft::test {
namespace {

TEST(Ethernet, TakesFramesThatFollowEachOtherClosely) {
  for (const int gap : {12, 8, 4}) {
    EthernetBench b;
    b.begin();
    for (int i = 0; i < 4; ++i) b.send(emulator::pack({kHost, kBoard, data(static_cast<std::size_t>(i + 1))}), gap);
    b.settle();
    ASSERT_EQ(b.got.size(), 4u) << gap;
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(b.got[i], data(i + 1));
  }
}

TEST(Ethernet, DropsFramesThatAreNotWhole) {
  EthernetBench b;
  b.begin();
  Bytes f = emulator::pack({kHost, kBoard, data(512)});
  for (std::size_t at = 0; at < f.size(); at += 37) {  // one bit is wrong
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
    emulator::seal(padded);
    b.send(Bytes(padded.begin(), padded.begin() + 46));
  }
  b.settle();
  b.send(f);
  b.error_in = 100;  // and a byte with an error from the PHY
  b.settle();
  EXPECT_TRUE(b.got.empty());
  EXPECT_TRUE(b.sent.empty());
  b.send(f);
  b.settle();
  EXPECT_EQ(b.got, std::vector<Bytes>{data(512)});
}

TEST(Ethernet, DropsFramesOfLengthsThatEthernetDoesNotHave) {
  EthernetBench b;
  const auto request = [&](std::size_t size) {  // with a valid checksum at any length
    Bytes f = arp(kHost, kBoard.ip);
    if (size < 60) {
      // seal() pads; so compute the checksum of a shorter frame by hand.
      f.resize(size);
      std::uint32_t crc = 0xffffffff;
      for (const std::uint8_t byte : f) {
        crc ^= byte;
        for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
      }
      put(f, ~crc, 4);
    } else {
      f.resize(size);
      emulator::seal(f);
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
  const Bytes good = emulator::pack({kHost, kBoard, data(64)});
  const auto change = [&](const std::function<void(Bytes&)>& what, bool sum = true) {
    Bytes f(good.begin(), good.end() - 4);
    what(f);
    if (sum) {
      f[24] = f[25] = 0;
      const std::uint16_t s = emulator::internet_checksum(std::span(f).subspan(14, 20));
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
  Bytes f = emulator::pack({kHost, kBoard, data(200)});
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
  Bytes payload(emulator::kMostPayload);
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
  b.rng = Rng(seed);
  b.begin();
  b.ready_percent = 10;  // takes 4 MB/s of 125
  std::vector<Bytes> all;
  for (int i = 0; i < 300; ++i) {
    all.push_back(data(1 + b.rng.below(512)));
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

/// A quick reader that pauses: there is no room in a frame's middle, and at its end there is.
TEST(Ethernet, DropsAFrameThatFoundNoRoomForAWhile) {
  const std::uint64_t seed = test_seed();
  EthernetBench b;
  b.rng = Rng(seed);
  b.begin();
  b.board_clock = 1;
  std::vector<Bytes> all;
  for (int i = 0; i < 300; ++i) {
    all.push_back(data(1 + b.rng.below(512)));
    b.send(kHost, all.back());
  }
  while (!b.line.empty()) {
    b.ready_percent = b.ready_percent == 0 ? 100 : 0;
    for (std::uint32_t n = 200 + b.rng.below(6000); n > 0; --n) {
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

/// Includes frames that are nearly right. A board that answered one could be used against other hosts.
TEST(Ethernet, NeverAnswersRandomFramesAndNeverStops) {
  const std::uint64_t seed = test_seed();
  EthernetBench b;
  b.rng = Rng(seed);
  b.begin();
  const Bytes models[] = {sealed(arp(kHost, kBoard.ip)), sealed(ping(kHost, 30)),
                          emulator::pack({kHost, kBoard, data(40)})};
  for (int i = 0; i < 10000; ++i) {
    Bytes f;
    const auto kind = b.rng.below(4);
    if (kind == 3) {
      f.resize(b.rng.below(200));
      for (std::uint8_t& byte : f) byte = static_cast<std::uint8_t>(b.rng.next());
      if (b.rng.chance(50)) emulator::seal(f);
    } else {  // a required bit is wrong, and the checksum is right
      f.assign(models[kind].begin(), models[kind].end() - 4);
      static constexpr std::size_t kFixed[3][6] = {
          {0, 12, 13, 15, 21, 41}, {0, 13, 14, 23, 33, 34}, {0, 12, 14, 21, 30, 37}};
      f[kFixed[kind][b.rng.below(6)]] ^= static_cast<std::uint8_t>(2u << b.rng.below(2));
      emulator::seal(f);
    }
    b.send(f, 4 + static_cast<int>(b.rng.below(20)));
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
    b.step_board();
    b.step_board();
    b.step_line();
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
