/// Processes that read the data for a run: whichever of them is lost, replaced or silent, each micro-batch is answered.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "host/swarmx/data_member.hpp"
#include "tests/swarmx/fake.hpp"
#include "tests/swarmx/remote.hpp"

namespace weft {
namespace {

using namespace std::chrono_literals;

struct DataMembers : testing::Test {
  Plan plan = fake_plan();
  MemoryX memoryx{plan, {}}, undisturbed{plan, {}};
  SwarmOptions options = fake_swarm(plan, 1, 2, 4, 0);
  std::atomic<int> here = 0;  // times that one came
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
      here += line == "data is here" ? 1 : 0;
      here.notify_all();
    };
  }
  std::jthread start(const Swarm& swarm, GetBatch get) {
    return guarded_thread(
        failure,
        [this, options = DataMemberOptions{
                   .get = std::move(get),
                   .join = {.port = swarm.port(), .credentials = test_credentials(), .job = "test", .leave = [this] {
                              return over.load();
                            }}}] { run_data_member(options); });
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

TEST_F(DataMembers, OneThatNobodyExpectsIsRefusedInWords) {
  options.data_name = "";
  Swarm swarm(plan, options);
  threads.push_back(start_member(failure, member_of(swarm, options, 0)));
  std::string why;
  try {
    run_data_member({.get = fake_data(plan), .join = join_of(swarm, options)});
  } catch (const SwarmError& error) {
    why = error.what();
  }
  EXPECT_NE(why.find("does not let us in: no rank reads the data here"), std::string::npos) << why;
  swarm.step(0, memoryx);
  EXPECT_EQ(memoryx.hash(), undisturbed.hash());
}

TEST_F(DataMembers, TwoOfOneRankThatTakeEachOthersPlaceDoNotFillTheLog) {
  std::atomic<int> lines = 0, twice = 0;
  options.say = [&](const std::string& line) {
    ++lines;
    twice += line.find("data is here, beside one of that name. HINT: ") == 0 ? 1 : 0;
  };
  {
    Swarm swarm(plan, options);
    threads.push_back(start_member(failure, member_of(swarm, options, 0)));
    for (int n = 0; n < 2; ++n) threads.push_back(start(swarm, fake_data(plan)));
    std::this_thread::sleep_for(1s);  // without a pause between: some hundred times
    swarm.step(0, memoryx);
    over = true;
  }
  threads.clear();
  failure.check();
  EXPECT_EQ(memoryx.hash(), undisturbed.hash());
  EXPECT_GT(twice, 0);
  EXPECT_LT(lines, 60);
}

}  // namespace
}  // namespace weft
