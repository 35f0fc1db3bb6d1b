/// The fit recovers the costs that runs were generated from; runs survive a round trip through their file.
#include "bench/swarm/swarm_fit.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "bench/swarm/least_squares.hpp"

namespace weft::bench {
namespace {

using planning::swarm_model::Costs;
using planning::swarm_model::Machine;
using planning::swarm_model::WorkOp;

/// The measurement that `machine` would produce.
MeasuredRun made(const Machine& machine, const SwarmRun& run) {
  MeasuredRun made{.run = run, .times = {}};
  made.times.step = predicted(machine, made).step;
  const WorkOp all = planning::swarm_model::total(work_of(run));
  const double down = all.down * run.micro_batches, up = all.up * run.micro_batches;
  const Costs& c = machine.costs;
  made.times.stream = c.make * all.down + c.again * all.down * ((run.micro_batches - 1) / run.wafers + 1);
  made.times.network = c.send * down + c.add * up;
  made.times.memoryx = run.train ? c.update * all.parameters : 0;
  made.times.member_network = c.take * down + c.pass * up;
  made.times.member_wafer = c.decode * all.messages * run.micro_batches + c.encode * up;
  return made;
}

Measured some_measured(Machine machine) {
  Measured measured{.cores = 2, .fit = {}, .check = {}};
  for (const int wafers : {1, 3})
    for (const bool train : {true, false})
      measured.fit.push_back(
          made(machine, {.wafers = wafers, .micro_batches = 6, .micro_batch = 0.02, .layers = 3, .train = train}));
  measured.check.push_back(made(machine, {.wafers = 6, .micro_batches = 6, .micro_batch = 0.01, .layers = 4}));
  return measured;
}

Machine some_machine() { return fitted(some_measured({.cores = 2, .shared = true, .settles = true, .costs = {}})); }

TEST(LeastSquares, FindsWhatIsThereAndNothingBelowZero) {
  const std::vector<double> exact = least_squares({{{1, 2}, 8}, {{3, 1}, 9}, {{1, 1}, 5}});
  EXPECT_NEAR(exact[0], 2, 1e-9);
  EXPECT_NEAR(exact[1], 3, 1e-9);
  const std::vector<double> bounded = least_squares({{{1, 1}, 1}, {{1, 2}, 0.5}});  // the exact solution is (1.5, -0.5)
  EXPECT_GT(bounded[0], 0);
  EXPECT_EQ(bounded[1], 0);
}

/// Errors are relative to the values: for measurements 1 and 10 of one unknown, the best fit is close to 1, not their
/// mean.
TEST(LeastSquares, TakesErrorsRelative) { EXPECT_NEAR(least_squares({{{1}, 1}, {{1}, 10}})[0], 1.1 / 1.01, 1e-9); }

TEST(SwarmFit, FindsTheCostsThatRunsWereMadeOf) {
  Machine truth{
      .cores = 2, .shared = true, .fanout = 100, .bandwidth = 1e300, .latency = 3e-4, .settles = true, .costs = {}};
  truth.costs = {.make = 2e-9,
                 .again = 1e-11,
                 .send = 5e-10,
                 .take = 9e-10,
                 .decode = 3e-10,
                 .encode = 4e-10,
                 .pass = 6e-10,
                 .add = 1e-9,
                 .update = 3e-9};
  const Measured measured = some_measured(truth);
  const Machine found = fitted(measured);
  for (double Costs::*cost : {&Costs::make, &Costs::again, &Costs::send, &Costs::take, &Costs::decode, &Costs::encode,
                              &Costs::pass, &Costs::add, &Costs::update})
    EXPECT_NEAR(found.costs.*cost / (truth.costs.*cost), 1, 1e-3);
  EXPECT_NEAR(found.latency, truth.latency, 2e-6);
  EXPECT_NEAR(predicted(found, measured.check[0]).step / measured.check[0].times.step, 1, 1e-3);
}

TEST(SwarmFit, LeavesOthersTheirProcessors) {
  Machine machine{.cores = 2, .shared = true, .fanout = 100, .latency = 0, .costs = {}};
  machine.costs.decode = 1e-8;
  MeasuredRun run{.run = {.wafers = 4, .micro_batches = 8, .micro_batch = 1e-4, .layers = 4}, .times = {}};
  const double alone = predicted(machine, run).step;
  run.times.others = 1;
  EXPECT_NEAR(predicted(machine, run).step / alone, 2, 0.02) << "processors are all that counts here";
}

TEST(SwarmMeasured, IsReadBackFromItsFile) {
  const std::filesystem::path path = std::filesystem::path(::testing::TempDir()) / "swarm_measured_test.jsonl";
  const Measured before = some_measured(some_machine());
  const auto write = [&](bool cores, nlohmann::ordered_json damaged = {}) {
    std::ofstream out(path);
    out << R"({"bench": "swarm_model", "date": "2026-11-30"})" << '\n';
    if (cores) out << nlohmann::ordered_json{{"name", kCores}, {"value", 2}} << '\n';
    for (const auto& [table, runs] : {std::pair{"fit", &before.fit}, {"check", &before.check}})
      for (const MeasuredRun& run : *runs) {
        nlohmann::ordered_json row{{"table", table}};
        row.update(columns_of(run));
        out << row << '\n';
      }
    if (!damaged.empty()) out << damaged << '\n';
  };
  write(true);
  const Measured after = read_measured(path);
  EXPECT_EQ(after.cores, 2);
  ASSERT_EQ(after.fit.size(), before.fit.size());
  ASSERT_EQ(after.check.size(), 1U);
  EXPECT_EQ(after.fit[1].run, before.fit[1].run);
  EXPECT_EQ(after.check[0].times.step, before.check[0].times.step);
  EXPECT_EQ(after.check[0].times.processor(), before.check[0].times.processor());
  for (const auto& [word, cores] : {std::pair{"wafers", true}, {"no runs", false}}) {
    write(cores, cores ? nlohmann::ordered_json{{"table", "fit"}} : nlohmann::ordered_json{});
    try {
      read_measured(path);
      FAIL() << word;
    } catch (const std::runtime_error& error) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("HINT: "), std::string::npos) << error.what();
    }
  }
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace weft::bench
