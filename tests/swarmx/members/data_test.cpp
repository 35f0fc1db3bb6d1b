/// Processes that read the data for a run: each micro-batch is answered, even if some process is lost, replaced or
/// silent.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "host/swarmx/members/data_member.hpp"
#include "tests/swarmx/fake.hpp"
#include "tests/swarmx/remote.hpp"
#include "tests/swarmx/reserved_port.hpp"

namespace weft::swarmx {
namespace {

using namespace std::chrono_literals;

struct DataMembers : testing::Test {
  compiler::Plan plan = fake_plan();
  memoryx::MemoryX memoryx{plan, {}}, undisturbed{plan, {}};
  SwarmOptions options = fake_swarm(plan, 1, 2, 4, 0);
  std::atomic<int> here = 0;  // number of times one connected
  std::atomic<bool> over = false;
  FirstFailure failure;
  std::vector<std::jthread> threads;  // members
  DataMembers() {
    Swarm swarm(plan, options);
    swarm.step(0, undisturbed);
    let_join(options, 0);
    options.data_name = "data";
    options.silence = 20s;
    options.say = [this](const std::string& line) {
      here += line == "data has joined" ? 1 : 0;
      here.notify_all();
      if (line == "data has joined") std::this_thread::sleep_for(50ms);  // the woken test finds it still connected
    };
  }
  std::jthread start(const Swarm& swarm, GetBatch get, std::function<void(const std::string&)> say = {}) {
    JoinOptions join = join_of(swarm, options);
    join.say = std::move(say);
    join.leave = [this] { return over.load(); };
    return guarded_thread(failure, [options = DataMemberOptions{.get = std::move(get), .join = std::move(join)}] {
      run_data_member(options);
    });
  }
};

TEST_F(DataMembers, OneThatTakesThePlaceOfOneThatWasAskedIsAskedAgain) {
  std::atomic<bool> asked = false;
  std::atomic<int> answered = 0;
  const GetBatch data = fake_data(plan);
  {
    Swarm swarm(plan, options);
    threads.push_back(start_member(failure, member_of(swarm, options, 0)));
    threads.push_back(start(swarm, [&](const BatchRequest& request) {
      asked = true;
      asked.notify_all();
      over.wait(false);
      return data(request);
    }));
    here.wait(0);
    threads.push_back(guarded_thread(failure, [&] {
      asked.wait(false);
      const auto second = start(swarm, [&](const BatchRequest& request) {
        ++answered;
        return data(request);
      });
      over.wait(false);
    }));
    swarm.step(0, memoryx);
    over = true;
    over.notify_all();
  }
  threads.clear();
  failure.check();
  EXPECT_EQ(memoryx.hash(), undisturbed.hash());
  EXPECT_EQ(answered, 4) << "all micro-batches of the step";
}

TEST_F(DataMembers, AnUnexpectedOneIsRefusedInWords) {
  options.data_name = "";
  Swarm swarm(plan, options);
  threads.push_back(start_member(failure, member_of(swarm, options, 0)));
  std::string why;
  try {
    run_data_member({.get = fake_data(plan), .join = join_of(swarm, options)});
  } catch (const SwarmError& error) {
    why = error.what();
  }
  EXPECT_NE(why.find("rejects this process: no data rank is expected here"), std::string::npos) << why;
  swarm.step(0, memoryx);
  EXPECT_EQ(memoryx.hash(), undisturbed.hash());
}

TEST_F(DataMembers, TwoOfOneRankThatTakeEachOthersPlaceDoNotFillTheLog) {
  std::atomic<int> lines = 0, twice = 0, rejections = 0;
  options.say = [&](const std::string& line) {
    ++lines;
    twice += line.find("data has joined, in addition to one of that name. HINT: ") == 0 ? 1 : 0;
  };
  {
    Swarm swarm(plan, options);
    threads.push_back(start_member(failure, member_of(swarm, options, 0)));
    for (int n = 0; n < 2; ++n) {
      threads.push_back(start(swarm, fake_data(plan), [&](const std::string& line) {
        rejections +=
            line == "MemoryX: another process has joined as the same rank. HINT: start one for each RANK. Trying again."
                ? 1
                : 0;
      }));
    }
    std::this_thread::sleep_for(1s);  // without a pause between attempts there would be several hundred
    swarm.step(0, memoryx);
    over = true;
  }
  threads.clear();
  failure.check();
  EXPECT_EQ(memoryx.hash(), undisturbed.hash());
  EXPECT_GT(twice, 0);
  EXPECT_GT(rejections, 0);
  EXPECT_LT(lines, 60);
}

/// The process has sent an invalid micro-batch, and reconnects while the root ends.
TEST_F(DataMembers, OneThatWasLostJustBeforeTheEndIsNotified) {
  std::atomic<bool> ends = false;
  options.timeout = options.back_for = 60s;  // ample for milliseconds of work on a busy machine
  {
    Swarm swarm(plan, options);
    threads.push_back(start_member(failure, member_of(swarm, options, 0)));
    threads.push_back(start(
        swarm,
        [](const BatchRequest&) {
          return MicroBatch{{kNoLabel}, {0}};
        },
        [&](const std::string& line) {
          if (line.find("Trying again") != std::string::npos) ends.wait(false);
        }));
    here.wait(0);
    swarm.step(0, memoryx);
    ends = true;
    ends.notify_all();
  }
  threads.clear();
  failure.check();
  EXPECT_EQ(memoryx.hash(), undisturbed.hash());
}

TEST_F(DataMembers, AProcessIsAskedByThePositionOfAStepsFirstSample) {
  const GetBatch data = fake_data(plan);
  options.position = [](std::uint64_t step) { return 1000 + 4 * step; };
  std::atomic<int> wrong = 0, answered = 0;
  {
    Swarm swarm(plan, options);
    threads.push_back(start_member(failure, member_of(swarm, options, 0)));
    threads.push_back(start(swarm, [&](const BatchRequest& request) {
      ++answered;
      wrong += request.position != 1000 + 4 * request.step ? 1 : 0;
      return data(request);
    }));
    here.wait(0);
    swarm.step(0, memoryx);
    over = true;
    over.notify_all();
  }
  threads.clear();
  failure.check();
  EXPECT_EQ(answered, 4) << "all micro-batches of the step";
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(memoryx.hash(), undisturbed.hash());
}

/// The number of swarms is that of frequent mask updates. The last swarm has no step, as if the last step were skipped:
/// it ends before its processes connect.
TEST_F(DataMembers, AfterSwarmsThatGiveWayTheLastOneEndsAllProcesses) {
  const ReservedPort port;
  options.port = port.number();
  options.timeout = options.coming_for = 60s;  // as in the test of the lost process
  for (int n = 0; n < 10; ++n) {
    Swarm swarm(plan, options);
    if (n == 0) threads.push_back(start_member(failure, member_of(swarm, options, 0)));
    if (n == 0) threads.push_back(start(swarm, fake_data(plan)));
    here.wait(n);
    swarm.give_way();
  }
  options.coming = {"wafer 0", "data"};
  Swarm(plan, options);
  threads.clear();
  failure.check();
}

}  // namespace
}  // namespace weft::swarmx
