/// Who is let in just before the run ends is told that it is over: its connection does not keep the run from ending.
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <chrono>
#include <optional>

#include "host/swarmx/data_source.hpp"
#include "host/swarmx/hub.hpp"
#include "tests/swarmx/fake.hpp"

namespace weft {
namespace {

/// The network's thread, and one end of a connection; the other is the peer's.
struct LastMoment : testing::Test {
  Plan plan = fake_plan();
  asio::io_context io{1};
  FirstFailure run;
  std::optional<Link> here;
  std::optional<FrameType> told;

  LastMoment() {
    asio::local::stream_protocol::socket upper(io), lower(io);
    asio::local::connect_pair(upper, lower);
    here.emplace(plain_channel(Socket(std::move(upper))), "peer", std::chrono::seconds(30));
    asio::co_spawn(io, peer(Link(plain_channel(Socket(std::move(lower))), "MemoryX", std::chrono::seconds(30))),
                   run.ending());
  }
  /// Leaves when it is told to, and at nothing else.
  asio::awaitable<void> peer(Link link) {
    told = (co_await link.read()).type;
    link.close();
  }
  void expect_end() {
    io.run_for(std::chrono::seconds(10));
    EXPECT_TRUE(io.stopped()) << "somebody still waits";
    run.check();
    EXPECT_EQ(told, FrameType::Stop);
  }
};

TEST_F(LastMoment, AWafer) {
  const auto hub = std::make_shared<Hub>(
      io.get_executor(), run, plan, "MemoryX", [](Frame) -> asio::awaitable<void> { co_return; },
      [](std::size_t, const std::string&, std::span<const std::uint32_t>, const std::string&) {});
  asio::co_spawn(io, hub->down({.type = FrameType::Stop}), run.ending());
  asio::post(io, [&] { hub->adopt("wafer 2", {7}, true, *std::exchange(here, {})); });
  expect_end();
}

TEST_F(LastMoment, WhoReadsTheData) {
  DataSource data(io.get_executor(), run, plan, fake_data(plan));
  asio::co_spawn(io, data.stop(), run.ending());
  asio::co_spawn(
      io,
      [&]() -> asio::awaitable<void> {
        try {
          co_await data.serve(*std::exchange(here, {}));
        } catch (const PeerLost&) {
        }
      },
      run.ending());
  expect_end();
}

}  // namespace
}  // namespace weft
