/// The world's failures: each ends the run within seconds, by an exception that names the peer.
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <thread>

#include "host/memoryx/fixed_point.hpp"
#include "host/swarmx/payload.hpp"
#include "tests/swarmx/fake.hpp"

namespace weft {
namespace {

using boost::asio::ip::tcp;

/// A wafer that is not one: connects to its parent by hand.
class Impostor {
 public:
  Impostor(const Swarm& swarm, int id) : socket_(io_) {
    socket_.connect({boost::asio::ip::address_v4::loopback(), swarm.port(id)});
    Frame hello{.type = FrameType::Hello};
    send(hello.carry(encode_text("wafer " + std::to_string(id))));
  }
  void send(const Frame& frame) {
    HeaderBytes header = encode_header(frame);
    boost::asio::write(socket_, boost::asio::buffer(header));
    if (frame.payload) boost::asio::write(socket_, boost::asio::buffer(*frame.payload));
  }
  void raw(const std::string& text) { boost::asio::write(socket_, boost::asio::buffer(text)); }
  void read(std::size_t bytes) {
    std::vector<char> waste(bytes);
    boost::asio::read(socket_, boost::asio::buffer(waste));
  }
  void close() { socket_.close(); }

 private:
  boost::asio::io_context io_;
  tcp::socket socket_;
};

/// Runs a step that must fail; returns the message.
template <class Error>
std::string failure(Swarm& swarm, MemoryX& memoryx) {
  const auto start = std::chrono::steady_clock::now();
  std::string text = "no failure";
  try {
    swarm.step(0, memoryx);
  } catch (const Error& error) {
    text = error.what();
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10)) << text;
  EXPECT_THROW(swarm.step(0, memoryx), Error);  // and stays so
  return text;
}

#define EXPECT_SAYS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

struct Failure : testing::TestWithParam<int> {  // number of wafers, the last is an impostor: on the root and on a node
  Plan plan = fake_plan();
  MemoryX memoryx{plan, {}};
  int last = GetParam() - 1;
  std::string name = "wafer " + std::to_string(last);
  SwarmOptions options() {
    SwarmOptions options = fake_swarm(plan, GetParam(), 2, 8, 3);
    options.local_wafers = last;
    options.timeout = std::chrono::seconds(2);
    return options;
  }
};

TEST_P(Failure, APeerThatDisappearsIsNamed) {
  Swarm swarm(plan, options());
  Impostor impostor(swarm, last);
  std::jthread dies([&] {
    impostor.read(300000);
    impostor.close();
  });
  const std::string text = failure<SwarmError>(swarm, memoryx);
  EXPECT_SAYS(text, name + " closed its connection");
  EXPECT_SAYS(text, "HINT");
}

TEST_P(Failure, APeerThatDiesWhileTheTreeIsFullIsNamed) {
  SwarmOptions o = options();
  o.micro_batches = 400;
  Swarm swarm(plan, o);
  Impostor impostor(swarm, last);
  std::jthread dies([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));  // reads nothing: queues and sockets fill up
    impostor.close();
  });
  EXPECT_SAYS(failure<SwarmError>(swarm, memoryx), name + " closed its connection");
}

TEST_P(Failure, ACorruptHeaderIsNamed) {
  Swarm swarm(plan, options());
  Impostor impostor(swarm, last);
  impostor.raw(std::string(100, 'x'));
  EXPECT_SAYS(failure<SwarmError>(swarm, memoryx), name + " sent a corrupt frame");
}

TEST_P(Failure, ACorruptPayloadIsNamed) {
  Swarm swarm(plan, options());
  Impostor impostor(swarm, last);
  Frame frame{.type = FrameType::Gradient, .op = 2};
  frame.carry(encode_integers(std::vector<std::int64_t>{1, 2, 3}));
  frame.crc ^= 1;
  impostor.send(frame);
  EXPECT_SAYS(failure<SwarmError>(swarm, memoryx), name + " sent a corrupt frame: the payload's checksum");
}

TEST_P(Failure, AContributionThatComesTwiceIsNamed) {
  Swarm swarm(plan, options());
  Impostor impostor(swarm, last);
  impostor.send({.type = FrameType::Gradient, .op = 2});
  impostor.send({.type = FrameType::Gradient, .op = 2});
  EXPECT_SAYS(failure<SwarmError>(swarm, memoryx), GetParam() == 1 ? "from wafer 0" : name + " contributed twice");
}

TEST_P(Failure, AWaferThatNeverComesIsNamed) {
  Swarm swarm(plan, options());
  EXPECT_SAYS(failure<SwarmError>(swarm, memoryx), name + " did not connect");
}

TEST_P(Failure, APeerThatConnectsAndIsSilentIsNamed) {
  Swarm swarm(plan, options());
  boost::asio::io_context io;
  tcp::socket socket(io);
  socket.connect({boost::asio::ip::address_v4::loopback(), swarm.port(last)});
  EXPECT_SAYS(failure<SwarmError>(swarm, memoryx), name + " did not connect");
}

TEST_P(Failure, AStuckWaferIsReportedAsSuch) {
  SwarmOptions o = options();
  o.local_wafers = -1;
  o.make_wafer = [this](int id) { return make_fake_wafer(plan, {.stuck_after = id == last ? 3 : -1}); };
  Swarm swarm(plan, o);
  const std::string text = failure<WaferStuck>(swarm, memoryx);
  EXPECT_SAYS(text, name + ", step 0, round 0: tile 0,1 waits");
}

TEST_P(Failure, AGradientOutOfRangeNamesItsTensor) {
  SwarmOptions o = options();
  o.local_wafers = -1;
  o.make_wafer = [this](int id) { return make_fake_wafer(plan, {.overflow_after = id == last ? 1 : -1}); };
  Swarm swarm(plan, o);
  const std::uint64_t before = memoryx.hash();
  const std::string text = failure<GradientOverflow>(swarm, memoryx);
  EXPECT_SAYS(text, name);
  EXPECT_SAYS(text, "wte.weight");
  EXPECT_EQ(memoryx.hash(), before);
}

TEST_P(Failure, AFlagOfTheWaferIsReported) {
  SwarmOptions o = options();
  o.local_wafers = -1;
  o.make_wafer = [this](int id) { return make_fake_wafer(plan, {.flag_after = id == last ? 1 : -1}); };
  Swarm swarm(plan, o);
  EXPECT_SAYS(failure<SwarmError>(swarm, memoryx), "no route at 1,1");
}

TEST_P(Failure, AWaferThatCannotBeMadeIsReported) {
  SwarmOptions o = options();
  o.local_wafers = -1;
  o.make_wafer = [this](int id) -> std::unique_ptr<Wafer> {
    if (id == last) throw std::runtime_error("no board on /dev/ttyUSB0");
    return make_fake_wafer(plan, {});
  };
  Swarm swarm(plan, o);
  EXPECT_SAYS(failure<SwarmError>(swarm, memoryx), name + ": no board on /dev/ttyUSB0");
}

INSTANTIATE_TEST_SUITE_P(Wafers, Failure, testing::Values(1, 2, 7),
                         [](const auto& info) { return std::to_string(info.param) + "wafers"; });

TEST(Remote, AWaferOfAnotherProcessIsLikeALocalOne) {
  const Plan plan = fake_plan();
  SwarmOptions options = fake_swarm(plan, 3, 2, 4, 0);
  options.local_wafers = 1;
  std::vector<std::jthread> others;
  MemoryX memoryx(plan, {});
  Swarm swarm(plan, options);
  for (int id = 1; id < 3; ++id) {
    LeafOptions leaf{id, "127.0.0.1", swarm.port(id), swarm.parent(id), options.make_wafer, options.get};
    others.emplace_back([&plan, leaf] { run_leaf(plan, leaf); });
  }
  EXPECT_EQ(swarm.step(0, memoryx).rounds, 2U);
}

}  // namespace
}  // namespace weft
