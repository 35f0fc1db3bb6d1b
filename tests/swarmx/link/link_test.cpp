/// A connection's deadlines, and that nothing remains of them.
#include "host/swarmx/link/link.hpp"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <string>

#include "sw/base/failure.hpp"
#include "tests/says.hpp"

namespace weft::swarmx {
namespace {

using namespace std::chrono_literals;
using Local = asio::local::stream_protocol::socket;

struct Linked : testing::Test {
  Linked() : near(io), far(io) { asio::local::connect_pair(near, far); }
  std::shared_ptr<Link> link(std::chrono::milliseconds silence) {
    return std::make_shared<Link>(plain_channel(Socket(std::move(near))), "the peer", silence);
  }
  /// Runs `work`; `said` receives the error with which it ends.
  void spawn(asio::awaitable<void> work, std::string& said) {
    asio::co_spawn(io, std::move(work), [&said](std::exception_ptr failure) {
      try {
        if (failure) std::rethrow_exception(failure);
        said = "nothing";
      } catch (const std::exception& error) {
        said = error.what();
      }
    });
  }
  /// Runs until no work remains; returns the duration.
  std::chrono::steady_clock::duration run() {
    const auto begin = std::chrono::steady_clock::now();
    io.run();
    return std::chrono::steady_clock::now() - begin;
  }
  asio::io_context io{1};
  Local near, far;
};

asio::awaitable<void> reads(std::shared_ptr<Link> link, int frames) {
  for (int n = 0; n < frames; ++n) co_await link->read();
}

asio::awaitable<void> writes(std::shared_ptr<Link> link, int frames, std::size_t bytes) {
  Frame frame{.type = FrameType::Op};
  frame.carry(Bytes(bytes, 1));
  for (int n = 0; n < frames; ++n) co_await link->write(frame);
}

TEST_F(Linked, AWriterEndsWhereThePeerTakesNothing) {
  std::string said;
  spawn(writes(link(20ms), 100, kMaxPayload), said);
  EXPECT_LT(run(), 30s);
  EXPECT_SAYS(said, "the peer has accepted nothing for 0.2 s. HINT");
}

TEST_F(Linked, AReaderEndsWhereHalfAFrameHasCome) {
  std::string said;
  spawn(reads(link(100ms), 1), said);
  const HeaderBytes header = encode_header({.type = FrameType::Stop});
  asio::write(far, asio::buffer(header.data(), 20));
  EXPECT_LT(run(), 30s);
  EXPECT_SAYS(said, "the peer has sent nothing for 0.1 s. HINT");
}

/// The reader and the writer have separate deadlines.
TEST_F(Linked, AWriterEndsAlsoWhereTheReaderHas) {
  std::string read, written;
  const auto both = link(50ms);
  spawn(reads(both, 1), read);
  spawn(writes(both, 100, kMaxPayload), written);
  asio::write(far, asio::buffer(std::string(kHeaderBytes, 'x')));
  EXPECT_LT(run(), 30s);
  EXPECT_SAYS(read, "the peer sent a corrupt frame");
  EXPECT_SAYS(written, "the peer has accepted nothing for 0.5 s");
}

/// Finished work with a deadline of a minute delays no waiter, though the connection still exists.
TEST_F(Linked, NothingIsLeftOfWhatIsDone) {
  std::string read, written;
  const auto both = link(60s);
  const HeaderBytes header = encode_header({.type = FrameType::Stop});
  asio::write(far, asio::buffer(header));
  spawn(reads(both, 1), read);
  spawn(writes(both, 3, 1000), written);
  EXPECT_LT(run(), 10s);
  EXPECT_EQ(read + written, "nothingnothing");
}

/// A peer that sends anything is alive, for any number of frames and at any speed.
TEST_F(Linked, APeerThatSaysSomethingIsThere) {
  std::string read;
  spawn(reads(link(300ms), 20), read);
  const auto slow = [](Local& far) -> asio::awaitable<void> {
    const HeaderBytes header = encode_header({.type = FrameType::Stop});
    for (int n = 0; n < 20; ++n) {
      asio::steady_timer timer(far.get_executor(), 30ms);
      co_await timer.async_wait(asio::use_awaitable);
      co_await asio::async_write(far, asio::buffer(header), asio::use_awaitable);
    }
  };
  std::string written;
  spawn(slow(far), written);
  run();
  EXPECT_EQ(read + written, "nothingnothing");
}

}  // namespace
}  // namespace weft::swarmx
