/// The visible state of a run of several processes: `weft status` at any time, and each rank's log.
#include <gtest/gtest.h>

#include "tests/run/ranks/seen_run.hpp"

namespace weft::test {
namespace {

struct Seen : SeenRun {
  Seen() : SeenRun(0, 2) {}
};

TEST_F(Seen, RunThatLosesAWaferAndThenItsRoot) {
  EXPECT_SAYS(status(), "out: is not a folder. HINT: ");
  Process root = start(0), data = start(1), stays = start(2), killed = start(3);
  const Json all = when([](const Json& now) {
    const auto works = [](const Json& rank) { return rank.at("micro_batches") > 0; };
    return std::ranges::all_of(now.at("ranks"), works) && now.at("step") > 0;
  });
  EXPECT_EQ(all.at("lives"), true);
  EXPECT_EQ(all.at("pid"), root->pid());
  EXPECT_EQ(of(all, 1).at("role"), "data");
  for (int rank = 1; rank <= 3; ++rank) {
    EXPECT_EQ(of(all, rank).at("rank"), rank);
    EXPECT_EQ(of(all, rank).at("state"), "here");
    EXPECT_EQ(of(all, rank).at("host"), "127.0.0.1");
    EXPECT_GT(of(all, rank).at("bytes_to"), 0);
    EXPECT_GT(of(all, rank).at("bytes_from"), 0);
    EXPECT_GE(of(all, rank).at("waits"), 0);
  }
  killed->kill(SIGKILL);
  const Json lost = when([](const Json& now) { return of(now, 3).at("state") == "lost"; });
  EXPECT_SAYS(of(lost, 3).at("why"), "wafer 1 closed its connection");
  EXPECT_GT(of(lost, 3).at("since"), of(all, 3).at("since"));
  EXPECT_EQ(of(lost, 2).at("state"), "here");
  killed = start(3);
  const Json back = when([](const Json& now) { return of(now, 3).at("state") == "here"; });
  EXPECT_EQ(of(back, 3).at("losses"), 1);

  root->kill(SIGKILL);
  root->wait();
  const std::string table = status();
  EXPECT_SAYS(table, "the root ended");
  EXPECT_SAYS(table, "3     wafer  wafer 1  127.0.0.1");
  when([](const Json& now) { return now.at("lives") == false; });
  const int saved = newest("out");  // the next root resumes from this; the killed one's status may be older
  root = start(0);
  when([&](const Json& now) { return now.at("lives") == true && now.at("step") > saved && all_here(now); });
  stays->kill(SIGTERM);  // as a scheduler does to all ranks, in any order
  expect_soon(
      *stays,
      "interrupted: continues until the root ends the run, at most 20 s; a second interrupt ends this rank at once\n");
  root->kill(SIGUSR1);
  EXPECT_EQ(root->wait(), 130);
  EXPECT_EQ(when([](const Json& now) { return !now.at("end").is_null(); }).at("end"), "interrupted");
  for (Process* rank : {&data, &killed}) EXPECT_EQ((*rank)->wait(), 0) << (*rank)->errors();
  EXPECT_EQ(stays->wait(), 130);

  EXPECT_SAYS(log(0), "rank 3, wafer 1 on 127.0.0.1: lost");
  EXPECT_SAYS(log(0), "interrupted after step ");
  EXPECT_SAYS(log(1), "the run is over\n");
  EXPECT_SAYS(log(2), "wafer 0 has joined");
  const std::string joined = log(3);
  EXPECT_NE(joined.find("wafer 1 has joined"), joined.rfind("wafer 1 has joined")) << "those before it started again";
}

TEST_F(Seen, AProcessOfAnotherBuildIsShownBothAndNotLetIn) {
  const Process root = start(0);
  const std::string why = refused({.version = swarmx::kSwarmVersion,
                                   .plan = 1,
                                   .job = "a",
                                   .build = "another",
                                   .role = "wafer",
                                   .name = "wafer 1"});
  EXPECT_SAYS(why, "build 0.");
  EXPECT_SAYS(why, ", commit ");
  EXPECT_SAYS(why, " here, another there");
}

TEST_F(Seen, ARootThatWaitsForWafersEndsAllWhenItIsInterrupted) {
  const Process root = start(0), data = start(1);
  when([&](const Json& status) { return of(status, 1).at("state") == "here"; });
  root->kill(SIGINT);
  EXPECT_EQ(root->wait(), 130) << root->errors();
  EXPECT_EQ(data->wait(), 0) << data->errors();
  EXPECT_NE(checkpoint::text_of(folder_ / "root.txt").find("interrupted before a step was done"), std::string::npos);
}

TEST_F(Seen, ARunOfOneProcessHasAStatusToo) {
  run("out", 4, 2);
  const Json json = Json::parse(status({"--json"}));
  EXPECT_EQ(json.at("step"), 4);
  EXPECT_EQ(json.at("end"), "done");
  EXPECT_EQ(json.at("lives"), false);
  ASSERT_EQ(json.at("ranks").size(), 2U);
  EXPECT_EQ(of(json, 1).at("rank"), 0);
  EXPECT_EQ(of(json, 2).at("micro_batches").get<int>() + of(json, 1).at("micro_batches").get<int>(), 12);
  EXPECT_SAYS(status(), "run     step 4 of 4, loss ");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out/logs"));
}

TEST_F(Seen, EachStepsTimesAddUpToItsSeconds) {
  run("out", 20, 2);
  std::istringstream in(checkpoint::text_of(folder_ / "out/metrics.jsonl"));
  int steps = 0;
  for (std::string line; std::getline(in, line); ++steps) {
    const Json json = Json::parse(line);
    double sum = 0;
    for (const char* part : {"stream", "room", "compute", "wait", "reduce", "update", "rest"})
      sum += json.at(std::string("time_") + part).get<double>();
    EXPECT_NEAR(sum, json.at("seconds").get<double>(), 1e-9) << line;
  }
  EXPECT_EQ(steps, 20);
}

}  // namespace
}  // namespace weft::test
