/// External failures: each ends the run within seconds, with an exception that names the peer.
#include "sw/base/failure.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <chrono>
#include <limits>
#include <new>
#include <system_error>
#include <thread>

#include "host/memoryx/fixed_point.hpp"
#include "host/swarmx/memory/leave_request.hpp"
#include "host/swarmx/protocol/payload.hpp"
#include "tests/swarmx/contributed.hpp"
#include "tests/swarmx/fake.hpp"
#include "tests/swarmx/impostor.hpp"

namespace weft::swarmx {
namespace {

/// Runs a step that must fail; returns the message.
template <class Error>
std::string failure(Swarm& swarm, memoryx::MemoryX& memoryx) {
  const auto start = std::chrono::steady_clock::now();
  std::string text = "no failure";
  try {
    swarm.step(0, memoryx);
  } catch (const Error& error) {
    text = error.what();
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10)) << text;
  EXPECT_THROW(swarm.step(0, memoryx), Error);  // the swarm remains failed
  return text;
}

struct Failure : testing::TestWithParam<int> {  // number of wafers, the last is an impostor: on the root and on a node
  compiler::Plan plan = fake_plan();
  memoryx::MemoryX memoryx{plan, {}};
  int last = GetParam() - 1;
  std::string name = "wafer " + std::to_string(last);
  SwarmOptions options() {
    SwarmOptions options = fake_swarm(plan, GetParam(), 2, 8, 3);
    let_join(options, last);
    options.timeout = std::chrono::milliseconds(500);
    options.min_csx = GetParam();  // so that a loss ends the run
    return options;
  }
};

TEST_P(Failure, APeerThatDisappearsIsNamed) {
  Swarm swarm(plan, options());
  Impostor impostor(swarm, last);
  std::jthread dies([&] {
    impostor.read(60000);
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
  frame.carry(Bytes{1, 2, 3});
  frame.crc ^= 1;
  impostor.send(frame);
  EXPECT_SAYS(failure<SwarmError>(swarm, memoryx), name + " sent a corrupt frame: the payload's checksum");
}

TEST_P(Failure, AWaferCannotEndTheRunAsARankOfMemoryXCan) {
  Swarm swarm(plan, options());
  Impostor impostor(swarm, last);
  impostor.send(leave_request_frame("SIGTERM"));
  EXPECT_SAYS(failure<PeerLost>(swarm, memoryx), name + " sent a frame of a type that is not sent up");
}

TEST_P(Failure, AContributionThatArrivesTwiceIsNamed) {
  Swarm swarm(plan, options());
  Impostor impostor(swarm, last);
  std::jthread twice([&] {
    const Frame begin = impostor.receive(FrameType::Begin);
    const PassReturns returns(plan, true);
    for (int n = 0; n < 2; ++n) impostor.send(contribution(plan, returns.buckets()[1], begin));
  });
  EXPECT_SAYS(failure<PeerLost>(swarm, memoryx), name + " contributed twice in step 1, pass 0");
}

TEST_P(Failure, StatsBeforeTheFirstStepAreNamed) {
  Swarm swarm(plan, options());
  Impostor impostor(swarm, last);
  Frame stats{.type = FrameType::Stats, .pass = 1U << 31};
  const std::uint32_t micro_batch = 0;
  impostor.send(carry(stats, {&micro_batch, 1}, std::vector<std::int64_t>(kStatsFields)));
  EXPECT_SAYS(failure<PeerLost>(swarm, memoryx), name + " contributed to step 1, pass 2147483648, which is not");
}

/// The wafer answers all of its pass with contributions modified by `change`.
struct Contributions : Failure {
  template <class Change>
  std::string refused(Change change) {
    Swarm swarm(plan, options());
    Impostor impostor(swarm, last);
    std::jthread answers([&] {
      try {
        const Frame begin = impostor.receive(FrameType::Begin);
        const PassReturns returns(plan, true);
        for (const PassReturns::Bucket& bucket : returns.buckets()) {
          Frame frame = contribution(plan, bucket, begin);
          change(frame);
          impostor.send(frame);
        }
        impostor.is_closed();
      } catch (const boost::system::system_error&) {  // already rejected
      }
    });
    return failure<PeerLost>(swarm, memoryx);
  }
  static void set(Frame& frame, std::size_t at, std::int64_t value) {
    auto [micro_batches, values] = contributed(frame);
    values.at(at) = value;
    carry(frame, micro_batches, values);
  }
};

TEST_P(Contributions, EmptyOneIsRejected) {
  const std::string text = refused([](Frame& frame) {
    frame.contains = 0;
    frame.payload = nullptr;
    frame.crc = 0;
  });
  EXPECT_SAYS(text, name + " contributed a length other than planned");
}

TEST_P(Contributions, OthersMicroBatchIsRejected) {
  const std::string text = refused([](Frame& frame) {
    const std::uint32_t micro_batch = 7;
    carry(frame, {&micro_batch, 1}, contributed(frame).values);
  });
  EXPECT_SAYS(text, name + " contributed micro-batch 7, which it does not have");
}

TEST_P(Contributions, ExtraBatchesAreRejected) {
  const std::string text = refused([](Frame& frame) {
    auto [micro_batches, values] = contributed(frame);
    micro_batches.push_back(micro_batches.back() + 1);
    carry(frame, micro_batches, values);
  });
  EXPECT_SAYS(text, name + " contributed ");
}

TEST_P(Contributions, TooFewTokensAreRejected) {
  const std::string text = refused([](Frame& frame) {
    if (frame.type == FrameType::Loss) set(frame, kLossTokens, 15);
  });
  EXPECT_SAYS(text, name + " contributed the loss of 15 tokens");
}

TEST_P(Contributions, NegativeCountsAreRejected) {
  const std::string text = refused([](Frame& frame) {
    if (frame.type == FrameType::Stats) set(frame, kStatsBeats, -1);
  });
  EXPECT_SAYS(text, name + " sent a negative count");
}

TEST_P(Contributions, ImpossibleGradientsAreRejected) {
  const std::string text = refused([](Frame& frame) {
    if (frame.type == FrameType::Gradient) set(frame, 5, std::numeric_limits<std::int64_t>::max());
  });
  EXPECT_SAYS(text, name + " contributed a gradient above the possible maximum");
}

TEST_P(Contributions, MissingPartsAreRejected) {
  const std::string text = refused([](Frame& frame) {
    if (frame.op == 2) frame.type = FrameType::Stats, frame.op = 0, frame.part = 0;
    if (frame.type != FrameType::Stats) return;
    carry(frame, contributed(frame).micro_batches, std::vector<std::int64_t>(kStatsFields));
  });
  EXPECT_SAYS(text, name + " ended step 1, pass 0 with missing returns");
}

TEST_P(Failure, AWaferThatNeverJoinsIsNamed) {
  Swarm swarm(plan, options());
  const std::string text = failure<PeerLost>(swarm, memoryx);
  EXPECT_SAYS(text, name + " did not connect within 0.5 s");
  EXPECT_SAYS(text, "HINT");
}

TEST_P(Failure, AWaferThatHangsIsReportedAsSuch) {
  SwarmOptions o = options();
  o.local_wafers = -1;
  o.make_wafer = [this](int id) { return make_fake_wafer(plan, {.hangs_after = id == last ? 3 : -1}); };
  Swarm swarm(plan, o);
  const std::string text = failure<WaferHang>(swarm, memoryx);
  EXPECT_SAYS(text, name + ", step 1, pass 0: tile 0,1 waits");
}

TEST_P(Failure, AGradientOutOfRangeNamesItsTensor) {
  SwarmOptions o = options();
  o.local_wafers = -1;
  o.make_wafer = [this](int id) { return make_fake_wafer(plan, {.overflow_after = id == last ? 1 : -1}); };
  Swarm swarm(plan, o);
  const std::uint64_t before = memoryx.hash();
  const std::string text = failure<memoryx::GradientOverflow>(swarm, memoryx);
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

INSTANTIATE_TEST_SUITE_P(Wafers, Contributions, testing::Values(1, 2, 7),
                         [](const auto& info) { return std::to_string(info.param) + "wafers"; });
INSTANTIATE_TEST_SUITE_P(Wafers, Failure, testing::Values(1, 2, 7),
                         [](const auto& info) { return std::to_string(info.param) + "wafers"; });

TEST(Remote, AWaferOfAnotherProcessIsLikeALocalOne) {
  const compiler::Plan plan = fake_plan();
  SwarmOptions options = fake_swarm(plan, 3, 2, 4, 0);
  let_join(options, 1);
  options.timeout = std::chrono::seconds(60);
  options.straggler = 0;
  FirstFailure failure;
  std::vector<std::jthread> others;
  memoryx::MemoryX memoryx(plan, {}), local(plan, {});
  {
    Swarm swarm(plan, options);
    for (int id = 1; id < 3; ++id) others.push_back(start_member(failure, member_of(swarm, options, id)));
    EXPECT_EQ(swarm.step(0, memoryx).passes, 2U);
  }
  others.clear();
  failure.check();
  Swarm swarm(plan, fake_swarm(plan, 3, 2, 4, 0));
  swarm.step(0, local);
  EXPECT_EQ(memoryx.hash(), local.hash());
}

/// The exception thrown by a wafer of another process, with its types on both sides. `fails` makes the second of two
/// wafers one that throws.
template <class Here, class There, class Fails>
void thrown_in_remote(const Fails& fails, const std::string& text) {
  const compiler::Plan plan = fake_plan();
  SwarmOptions options = fake_swarm(plan, 2, 2, 4, 0);
  let_join(options, 1);
  options.min_csx = 2;
  options.timeout = std::chrono::seconds(1);
  memoryx::MemoryX memoryx(plan, {});
  FirstFailure there;
  Swarm swarm(plan, options);
  MemberOptions member = member_of(swarm, options, 1);
  fails(member);
  std::jthread other = start_member(there, member);
  EXPECT_SAYS(failure<Here>(swarm, memoryx), text);
  other.join();
  EXPECT_THROW(there.check(), There);
}
template <class Here, class There>
void thrown_by_remote(const There& thrown, const std::string& text) {
  thrown_in_remote<Here, There>(
      [&](MemberOptions& member) { member.make_wafer = [&](int) -> std::unique_ptr<Wafer> { throw thrown; }; }, text);
}

TEST(Remote, ExceptionArrivesWithItsNameAndType) {
  thrown_by_remote<memoryx::Diverged>(memoryx::Diverged("no number"), "wafer 1: no number");
  thrown_by_remote<LossNotFinite>(LossNotFinite("no number"), "wafer 1: no number");
  thrown_by_remote<PeerLost>(std::bad_alloc(), "wafer 1: not enough memory. HINT");
  thrown_by_remote<PeerLost>(42, "wafer 1: an object that is not an exception");
  thrown_by_remote<PeerLost>(std::system_error(EMFILE, std::generic_category()), "Too many open files");
}

TEST(Remote, ExceptionOfTheConnectionThreadArrives) {
  const auto fails = [](MemberOptions& member) {
    member.join.say = [](const std::string&) { throw std::bad_alloc(); };
  };
  thrown_in_remote<PeerLost, std::bad_alloc>(fails, "wafer 1: not enough memory. HINT");
}

}  // namespace
}  // namespace weft::swarmx
