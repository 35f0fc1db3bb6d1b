#include "host/swarmx/link/local_payloads.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <atomic>
#include <thread>

#include "host/swarmx/link/wire.hpp"

namespace weft::swarmx {
namespace {

/// Both ends of a connection within the process.
struct Pair {
  Pair() {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) throw std::bad_alloc();
    for (const int end : ends) few_headers(end);
    const PayloadQueues payloads = PayloadQueues::make();
    here = std::make_unique<Wire>(ends[0], "there", payloads);
    there = std::make_unique<Wire>(ends[1], "here", payloads.other());
  }
  std::unique_ptr<Wire> here, there;
};

TEST(LocalPayloads, PayloadsComeToTheirFramesAndAreNotCopied) {
  const Pair pair;
  std::vector<Frame> sent;
  for (std::uint32_t part = 0; part < 4; ++part) {
    Frame frame{.type = FrameType::Op, .op = 7, .part = part};
    if (part != 2) frame.carry(Bytes(100 + part, static_cast<std::uint8_t>(part)));
    sent.push_back(frame);
    (part % 2 == 0 ? pair.here : pair.there)->write(frame);
  }
  for (const std::uint32_t part : {0U, 2U, 1U, 3U}) {
    const Frame frame = (part % 2 == 0 ? pair.there : pair.here)->read();
    EXPECT_EQ(frame.part, part);
    EXPECT_EQ(frame.payload, sent[part].payload);
  }
}

TEST(LocalPayloads, SenderWaitsForReader) {
  const Pair pair;
  constexpr std::uint32_t kFrames = 500, kFew = 32;
  std::atomic<std::uint32_t> written = 0;
  const std::jthread writer([&] {
    for (std::uint32_t part = 0; part < kFrames; ++part) {
      Frame frame{.type = FrameType::Op, .part = part};
      pair.here->write(frame.carry(Bytes(1000)));
      ++written;
    }
  });
  for (std::uint32_t part = 0; part < kFrames; ++part) {
    if (part % 50 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_LE(written, part + kFew);
    ASSERT_EQ(pair.there->read().part, part);
  }
}

}  // namespace
}  // namespace weft::swarmx
