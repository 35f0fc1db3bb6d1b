/// MemoryX on separate ranks gives the bits of a single process, keeps them when a swarm fails, and reports the loss of
/// a rank.
#include "host/swarmx/memory/leave_request.hpp"
#include "tests/swarmx/impostor.hpp"
#include "tests/swarmx/memory/parted.hpp"

namespace weft::swarmx {
namespace {

using namespace std::chrono_literals;

TEST_F(Parted, StepsHaveTheBitsOfOneProcess) {
  const Results one = expected(3);
  EXPECT_NE(one.hashes[0], one.hashes[1]);
  for (const int ranks : {1, 2, 3}) {
    start(ranks);
    memory->start();
    EXPECT_EQ(train(*swarm, *memory, 0, 3), one) << ranks;
    const std::vector<RankStatus> status = memory->status();
    ASSERT_EQ(status.size(), static_cast<std::size_t>(ranks));
    for (const RankStatus& rank : status) {
      EXPECT_EQ(rank.state, RankStatus::State::Here);
      EXPECT_GT(rank.bytes_to, 0U);
      EXPECT_GT(rank.bytes_from, 0U);
    }
    swarm.reset();
    memory.reset();
    there.check();
  }
}

TEST_F(Parted, WithoutClippingToo) {
  memoryx.optimizer.max_gradient_norm = 0;
  start(2);
  memory->start();
  EXPECT_EQ(train(*swarm, *memory, 0, 3), expected(3));
}

TEST_F(Parted, TensorsThatDoNotDecayOrDoNotChangeAreThoseOfOneProcess) {
  const Results all_change = expected(2);
  memoryx.no_decay = {"t3"};
  const Results all_but_decay = expected(2);
  memoryx.decay = {"t1"};
  const Results another_decays = expected(2);
  memoryx.frozen = {"t0", "t2"};
  const Results one = expected(2);
  EXPECT_NE(all_change, all_but_decay);
  EXPECT_NE(all_but_decay, another_decays);
  EXPECT_NE(another_decays, one);
  start(2);
  memory->start();
  EXPECT_EQ(train(*swarm, *memory, 0, 2), one);
}

TEST_F(Parted, AnEvaluationSeesTheWeightsOfTheLastStep) {
  memoryx::MemoryX alone(plan, memoryx);
  Swarm local(plan, fake_swarm(plan, 1, 2, 2, 0));
  start(2);
  memory->start();
  for (std::uint64_t step = 0; step < 2; ++step) {
    EXPECT_EQ(swarm->step(step, *memory).losses.back().sum, local.step(step, alone).losses.back().sum);
    EXPECT_EQ(swarm->evaluate(step, 3, *memory).losses.back().sum, local.evaluate(step, 3, alone).losses.back().sum);
  }
}

TEST_F(Parted, ASwarmThatFailsTakesNothingOfTheStateWithIt) {
  const Results one = expected(3);
  start(2);
  memory->start();
  EXPECT_EQ(train(*swarm, *memory, 0, 1).hashes[0], one.hashes[0]);
  const auto jump = [](double) { throw memoryx::Diverged("on purpose"); };
  EXPECT_THROW(swarm->step(1, *memory, {}, jump), memoryx::Diverged);  // with all gradients, before the update
  EXPECT_TRUE(memory->is_consistent());
  EXPECT_EQ(memory->hash(), one.hashes[0]);
  start_swarm();
  const Results rest = train(*swarm, *memory, 1, 2);
  EXPECT_EQ(rest.hashes, (std::vector{one.hashes[1], one.hashes[2]}));
}

TEST_F(Parted, ALostRankEndsTheStepAndWhateverFollows) {
  start(2);
  memory->start();
  std::uint64_t step = 0;
  swarm->step(step++, *memory);
  leaves = 1;
  const auto train_on = [&] {
    for (;;) swarm->step(step++, *memory);
  };
  try {
    train_on();
  } catch (const MemoryLost& error) {
    EXPECT_SAYS(error.what(), "memory 1 is lost");
    EXPECT_SAYS(error.what(), "last checkpoint");
  }
  EXPECT_FALSE(memory->is_consistent());
  EXPECT_THROW(memory->finish_update(), MemoryLost);
  EXPECT_THROW(memory->begin_step({.step = step}), MemoryLost);
  EXPECT_EQ(memory->status()[1].state, RankStatus::State::Lost);
  EXPECT_EQ(memory->status()[1].losses, 1U);
}

TEST_F(Parted, ARankThatSaysWhyItFailsIsNamedWithItsWordsAndIsNotMissed) {
  start(2, 1);
  Impostor fails(memory->port(), "memory", "memory 1");
  fails.receive(FrameType::Deal);
  fails.send(error_frame(ErrorKind::Swarm, "memory 1: not enough memory. HINT: use a machine with more memory."));
  try {
    memory->start();
    ADD_FAILURE() << "nobody fails";
  } catch (const MemoryFailed& error) {
    EXPECT_SAYS(error.what(), "memory 1 has failed");
    EXPECT_SAYS(error.what(), "memory 1: not enough memory. HINT: use a machine with more memory.");
  }
  EXPECT_THROW(swarm->step(0, *memory), MemoryFailed);
  EXPECT_EQ(memory->status()[1].state, RankStatus::State::Lost);
}

/// Sends `frames` as rank 1 to a run that waits for this rank; returns the reported error.
std::string lost_by(Parted& run, std::vector<Frame> frames) {
  run.start(2, 1);
  Impostor one(run.memory->port(), "memory", "memory 1");
  one.receive(FrameType::Deal);
  for (const Frame& frame : frames) one.send(frame);
  const auto end = std::chrono::steady_clock::now() + 30s;
  while (run.memory->status()[1].state != RankStatus::State::Lost && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(5ms);
  return run.memory->status()[1].why;
}

TEST_F(Parted, ARankThatLeavesEndsARunThatHasNotBegun) {
  start(2, 0);
  Impostor one(memory->port(), "memory", "memory 1");
  one.receive(FrameType::Deal);
  one.send(leave_request_frame("SIGTERM"));
  try {
    memory->start();
    ADD_FAILURE() << "it is waited for";
  } catch (const MemoryLeaves& error) {
    EXPECT_SAYS(error.what(), "memory 1 on 127.0.0.1 (SIGTERM) was asked to end before the run began");
  }
  const auto end = std::chrono::steady_clock::now() + 30s;  // the thread that reads the frames reports last
  while (asked == 0 && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(memory->status()[1].state, RankStatus::State::Leaving);
  EXPECT_EQ(memory->status()[1].why, "SIGTERM");
}

TEST_F(Parted, ARankLeavesOnce) {
  EXPECT_SAYS(lost_by(*this, {leave_request_frame("SIGTERM"), leave_request_frame("SIGTERM")}),
              "memory 1 sent two leave requests");
}

TEST_F(Parted, ARankThatLeavesSaysWhyAndNoMore) {
  Frame long_one{.type = FrameType::Leaves};
  EXPECT_SAYS(lost_by(*this, {long_one.carry(Bytes(65, 'x'))}),
              "memory 1 sent a leave request with more than a reason");
  EXPECT_EQ(asked, 0);
}

TEST_F(Parted, ARankThatIsLostBetweenStepsEndsTheNext) {
  start(2);
  memory->start();
  swarm->step(0, *memory);
  memory->finish_update();
  leaves = 0;
  while (memory->status()[0].state == RankStatus::State::Here) std::this_thread::sleep_for(5ms);
  EXPECT_THROW(swarm->step(1, *memory), MemoryLost);
}

TEST_F(Parted, RanksThatDoNotComeAreNamed) {
  memory = std::make_unique<MemoryRanks>(
      plan, MemoryRanksOptions{.ranks = 2, .memoryx = memoryx, .credentials = test_credentials(), .timeout = 100ms});
  try {
    memory->start();
    ADD_FAILURE() << "nobody is missed";
  } catch (const PeerLost& error) {
    EXPECT_SAYS(error.what(), "memory 0, memory 1 did not connect within 0.1 s");
  }
}

TEST_F(Parted, OneThatJoinsTwiceWaitsAndTheFirstContinues) {
  start(2);
  memory->start();
  start_part(1);
  EXPECT_EQ(train(*swarm, *memory, 0, 2), expected(2));
}

TEST_F(Parted, UnexpectedMemberIsRejectedWithAReason) {
  start(2);
  const auto refusal = [&](std::uint16_t port, const std::string& role, const std::string& name, const auto& key) {
    std::string text = "it is let in";
    try {
      run_member_session(
          {.port = port, .credentials = key, .job = options.job, .timeout = 60s},
          {.role = role, .name = name, .next = "MemoryX", .has_member_id = false, .work = {}, .last_words = {}});
    } catch (const std::exception& error) {
      text = error.what();
    }
    return text;
  };
  const auto& key = test_credentials();
  EXPECT_SAYS(refusal(swarm->port(), "memory", "memory 2", key), "memory 2 is not one of the 2 ranks of MemoryX here");
  EXPECT_SAYS(refusal(memory->port(), "memory", "memory 7", key), "memory 7 is not one of the 2 ranks of MemoryX here");
  EXPECT_SAYS(refusal(memory->port(), "wafer", "wafer 0", key), "a wafer cannot join MemoryX");
  const TestKey file;
  std::filesystem::permissions(file.file(), std::filesystem::perms::owner_write, std::filesystem::perm_options::add);
  std::ofstream(file.file()) << std::string(64, 'z');
  EXPECT_SAYS(refusal(memory->port(), "memory", "memory 0", key_credentials(file.file())), "another key");
  memory->start();
  EXPECT_EQ(train(*swarm, *memory, 0, 1), expected(1));
}

}  // namespace
}  // namespace weft::swarmx
