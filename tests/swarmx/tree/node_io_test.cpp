/// A node feeds each child as fast as that one takes frames; tests count frames and measure no time.
#include "host/swarmx/tree/node_io.hpp"

#include <gtest/gtest.h>

#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <memory>
#include <string>

#include "host/swarmx/protocol/payload.hpp"
#include "tests/says.hpp"
#include "tests/swarmx/fake.hpp"

namespace weft::swarmx {
namespace {

using namespace std::chrono_literals;

/// The peer of a child: takes all frames at once, or none.
struct Peer {
  explicit Peer(asio::io_context& io) : changed(io, asio::steady_timer::time_point::max()) {}
  void set(bool now) {
    takes = now;
    changed.cancel();
  }
  bool takes = true, closed = false;
  std::size_t bytes = 0;  // taken
  asio::steady_timer changed;
};

class PeerChannel final : public Channel {
 public:
  explicit PeerChannel(Peer& peer) : peer_(peer) {}
  asio::awaitable<Received> read(std::span<std::uint8_t>, std::size_t) override {
    while (!peer_.closed) co_await peer_.changed.async_wait(asio::as_tuple(asio::use_awaitable));
    co_return Received{asio::error::eof, 0};
  }
  asio::awaitable<boost::system::error_code> write(std::span<const asio::const_buffer> buffers) override {
    while (!peer_.takes && !peer_.closed) co_await peer_.changed.async_wait(asio::as_tuple(asio::use_awaitable));
    if (peer_.closed) co_return asio::error::broken_pipe;
    for (const asio::const_buffer& buffer : buffers) peer_.bytes += buffer.size();
    co_return boost::system::error_code();
  }
  void close() noexcept override {
    peer_.closed = true;
    peer_.changed.cancel();
  }

 private:
  Peer& peer_;
};

/// A node with two wafers of other processes.
struct TwoChildren : testing::Test {
  void make(NodeIoLimits limits = {}, std::chrono::milliseconds silence = 30s) {
    node = std::make_shared<NodeIo>(
        io.get_executor(), run, plan, "MemoryX", [](Frame) -> asio::awaitable<void> { co_return; },
        [this](const NodeIo::LostChild& child) { lost = child.name + (child.slow ? " slow: " : ": ") + child.why; },
        NodeIo::Returned{}, limits);
    for (std::uint32_t n = 0; n < 2; ++n)
      node->adopt("wafer " + std::to_string(n), {n}, true,
                  Link(std::make_unique<PeerChannel>(peers[n]), "wafer " + std::to_string(n), silence));
  }
  ~TwoChildren() override {
    node->close();
    io.restart();
    io.poll();
  }
  /// Sends a pass's Begin and `count` frames with one payload, as far as the node takes them.
  void send(Pass pass, std::size_t count, std::size_t bytes) {
    Frame op{.type = FrameType::Op};
    op.carry(Bytes(bytes, 1));
    payload = op.payload;
    Frame begin{.type = FrameType::Begin};
    asio::co_spawn(io, send_all(begin.carry(encode_pass(pass)), op, count), run.ending());
    poll();
  }
  asio::awaitable<void> send_all(Frame begin, Frame op, std::size_t count) {
    co_await node->down(std::move(begin));
    for (std::size_t n = 0; n < count; ++n, ++sent) co_await node->down(op);
  }
  void poll() {
    io.restart();
    io.poll();
    run.check();
  }
  static Pass both(bool unmerged = false) { return {.train = true, .tasks = {{0, 0, unmerged}, {1, 1, unmerged}}}; }

  compiler::Plan plan = fake_plan();
  asio::io_context io{1};
  FirstFailure run;
  std::array<Peer, 2> peers{Peer(io), Peer(io)};
  std::shared_ptr<NodeIo> node;
  std::shared_ptr<const Bytes> payload;
  std::size_t sent = 0;
  std::string lost;
};

TEST_F(TwoChildren, OneThatTakesNothingDelaysNoOther) {
  make();
  peers[1].set(false);
  send(both(), 1000, 1000);
  EXPECT_EQ(sent, 1000U);
  EXPECT_GT(peers[0].bytes, 1000U * 1000U);
  EXPECT_EQ(peers[1].bytes, 0U);
  peers[1].set(true);
  poll();
  EXPECT_EQ(peers[1].bytes, peers[0].bytes) << "nothing is left out";
}

TEST_F(TwoChildren, TheFastestSetsThePace) {
  make();
  for (Peer& peer : peers) peer.set(false);
  send(both(), 1000, 200000);
  EXPECT_GE(sent, kQueueFrames - 1);
  EXPECT_LE(sent, kQueueFrames + 2);
  peers[0].set(true);
  poll();
  EXPECT_GT(sent, 100U);
}

/// A heartbeat was in no queue, and makes no room.
TEST_F(TwoChildren, HeartbeatsDoNotCount) {
  make({}, 600ms);
  while (peers[0].bytes == 0 || peers[1].bytes == 0) {
    io.restart();
    io.run_one_for(200ms);
  }
  for (Peer& peer : peers) peer.set(false);
  send(both(), 1000, 200000);
  EXPECT_GE(sent, kQueueFrames - 1);
  EXPECT_LE(sent, kQueueFrames + 2);
}

TEST_F(TwoChildren, NoneIsFurtherBehindThanTheBoundAndFramesAreShared) {
  make();
  peers[1].set(false);
  send(both(), 100, kMaxPayload);
  EXPECT_GE(sent, 64U);
  EXPECT_LE(sent, 67U);
  EXPECT_GE(payload.use_count(), 64);
  peers[1].set(true);
  poll();
  EXPECT_EQ(sent, 100U);
  EXPECT_EQ(lost, "");
}

/// A trial of a slow wafer must not delay the next step's passes.
TEST_F(TwoChildren, APassOfUnmergedTasksIsQueuedWithoutWaiting) {
  make();
  for (Peer& peer : peers) peer.set(false);
  send(both(true), 1000, 1000);
  EXPECT_EQ(sent, 1000U);
}

TEST_F(TwoChildren, StopDiscardsWhatIsQueued) {
  make();
  peers[1].set(false);
  send(both(), 1000, 1000);
  asio::co_spawn(io, node->down({.type = FrameType::Stop}), run.ending());
  poll();
  peers[1].set(true);
  poll();
  EXPECT_LT(peers[1].bytes, 200000U) << "one write, and Stop";
  EXPECT_GT(peers[1].bytes, 0U);
}

TEST_F(TwoChildren, OneAtTheBoundForWhichAnotherWaitsIsDisconnected) {
  make({.behind = std::size_t{1} << 20, .waits = {.window = 10s, .most = 20ms}});
  peers[1].set(false);
  send(both(), 100, kMaxPayload);
  EXPECT_LT(sent, 12U);
  while (lost.empty()) {
    io.restart();
    io.run_one_for(1s);
  }
  EXPECT_TRUE(lost.starts_with("wafer 1 slow: ")) << lost;
  EXPECT_SAYS(lost, "wafer 1 is 8 MiB of frames behind, and others waited for it");
  poll();
  EXPECT_EQ(sent, 100U);
}

TEST_F(TwoChildren, OneAtTheBoundForWhichNoOtherWaitsStays) {
  make({.behind = std::size_t{1} << 20, .waits = {.window = 10s, .most = 20ms}});
  peers[1].set(false);
  send({.train = true, .tasks = {{1, 0, false}}}, 100, kMaxPayload);
  EXPECT_LT(sent, 12U);
  for (const auto end = std::chrono::steady_clock::now() + 100ms; std::chrono::steady_clock::now() < end;)
    io.restart(), io.run_one_for(10ms);
  EXPECT_EQ(lost, "");
  peers[1].set(true);
  poll();
  EXPECT_EQ(sent, 100U);
}

TEST_F(TwoChildren, OneThatStaysSlowIsDisconnectedByName) {
  make();
  node->disconnect(1, "on 10.0.0.4, it stays slow");
  node->disconnect(7, "no such member");
  poll();
  EXPECT_TRUE(lost.starts_with("wafer 1 slow: ")) << lost;
  EXPECT_SAYS(lost, "on 10.0.0.4, it stays slow");
  EXPECT_EQ(node->open_children(), 1U);
}

}  // namespace
}  // namespace weft::swarmx
