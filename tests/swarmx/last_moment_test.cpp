/// A peer that connects just before the run ends is notified of the end: its connection does not keep the run from
/// ending, and it waits for no other process.
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <functional>
#include <optional>

#include "host/swarmx/auth/listener.hpp"
#include "host/swarmx/members/data_source.hpp"
#include "host/swarmx/protocol/payload.hpp"
#include "host/swarmx/tree/node_io.hpp"
#include "tests/swarmx/fake.hpp"
#include "tests/swarmx/remote.hpp"

namespace weft::swarmx {
namespace {

/// The network's thread, and one end of a connection; the peer has the other end.
struct LastMoment : testing::Test {
  compiler::Plan plan = fake_plan();
  asio::io_context io{1};
  FirstFailure run;
  std::optional<Link> here;
  std::optional<FrameType> received;

  LastMoment() {
    asio::local::stream_protocol::socket upper(io), lower(io);
    asio::local::connect_pair(upper, lower);
    here.emplace(plain_channel(Socket(std::move(upper))), "peer", std::chrono::seconds(30));
    asio::co_spawn(io, peer(Link(plain_channel(Socket(std::move(lower))), "MemoryX", std::chrono::seconds(30))),
                   run.ending());
  }
  /// Leaves on receipt of a frame, and never otherwise.
  asio::awaitable<void> peer(Link link) {
    received = (co_await link.read()).type;
    link.close();
  }
  void expect_end() {
    io.run_for(std::chrono::seconds(10));
    EXPECT_TRUE(io.stopped()) << "somebody still waits";
    run.check();
    EXPECT_EQ(received, FrameType::Stop);
  }
};

TEST_F(LastMoment, AWafer) {
  const auto node_io = std::make_shared<NodeIo>(
      io.get_executor(), run, plan, "MemoryX", [](Frame) -> asio::awaitable<void> { co_return; },
      [](const NodeIo::LostChild&) {});
  asio::co_spawn(io, node_io->down({.type = FrameType::Stop}), run.ending());
  asio::post(io, [&] { node_io->adopt("wafer 2", {7}, true, *std::exchange(here, {})); });
  expect_end();
}

TEST_F(LastMoment, DataRankEnds) {
  DataSource data(io.get_executor(), run, plan, fake_data(plan), [](std::uint64_t step) { return step; });
  asio::co_spawn(io, data.stop(), run.ending());
  asio::co_spawn(
      io,
      [&]() -> asio::awaitable<void> {
        try {
          co_await data.serve(*std::exchange(here, {}), [] {});
        } catch (const PeerLost&) {
        }
      },
      run.ending());
  expect_end();
}

/// A root that redirects a wafer to a port without a listener, and a wafer that follows the redirection.
struct OnItsWay : testing::Test {
  asio::io_context io{1};
  FirstFailure run, there;
  int came = 0;
  std::function<asio::awaitable<void>(Link)> then;  // the root's next action

  void expect_prompt_end() {
    Guests guests;
    guests.admit = [](const Hello&) { return std::string(); };
    guests.arrived = [&](const Hello&, std::unique_ptr<Channel> channel) {
      ++came;
      asio::co_spawn(io, answer(Link(std::move(channel), "wafer 0", std::chrono::seconds(30))), run.ending());
    };
    const auto listener = std::make_shared<Listener>(
        io.get_executor(), run, test_credentials(),
        Hello{.version = kSwarmVersion, .job = "test", .role = "", .name = ""}, guests, ListenerOptions{});
    asio::co_spawn(io, listener->open(), run.ending());
    const auto start = std::chrono::steady_clock::now();
    {
      const std::jthread wafer = guarded_thread(there, [&] {
        run_member({.join = {.port = listener->port(), .credentials = test_credentials(), .job = "test"}});
        asio::post(io, [&] { listener->close(); });
      });
      io.run_for(std::chrono::seconds(20));
    }
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
    run.check();
    there.check();
  }
  asio::awaitable<void> answer(Link link) {
    Frame where{.type = FrameType::Redirect, .op = 7, .part = 1};
    co_await link.write(where.carry(encode_text("127.0.0.1")));
    asio::steady_timer timer(io, std::chrono::milliseconds(100));
    co_await timer.async_wait(asio::use_awaitable);
    co_await then(std::move(link));
  }
  static asio::awaitable<void> stop(Link link) {
    try {
      co_await link.write({.type = FrameType::Stop});
      for (;;) co_await link.read();
    } catch (const PeerLost&) {
    }
  }
};

TEST_F(OnItsWay, AWaferHearsThatTheRunIsOver) {
  then = stop;
  expect_prompt_end();
  EXPECT_EQ(came, 1);
}

TEST_F(OnItsWay, AWaferThatLosesTheRootJoinsTheNext) {
  then = [&](Link link) -> asio::awaitable<void> {
    if (came > 1) co_await stop(std::move(link));
  };
  expect_prompt_end();
  EXPECT_EQ(came, 2);
}

}  // namespace
}  // namespace weft::swarmx
