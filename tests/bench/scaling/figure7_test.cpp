/// The values of figure 7 follow from passes, links and nodes.
#include "bench/scaling/figure7.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sw/base/refusal.hpp"

namespace weft::bench {
namespace {

/// A model size of the paper with other ops, and micro-batches of 5 sequences.
Gpt3Line line(const std::string& name, int batch) {
  Gpt3Line line{.name = name, .model = {}, .wafer = cs2_wafer(), .misfit = {}, .bound = {}, .work = {}};
  line.model.micro_batch = 5;
  line.batch = batch;
  const double cycles = 1e-3 * cs2_clock();
  line.work.assign(90, {.down = 1e6, .seconds = cycles, .up = 1e6, .parameters = 1e5});
  return line;
}

TEST(Figure7, FollowsPassesWhereTheWaferIsTheBottleneck) {
  const auto models = scaled_models({line("Small", 250), line("XL", 960), line("unknown", 10)}, {});
  ASSERT_EQ(models.size(), 2U) << "sizes that are drawn";
  EXPECT_EQ(models[0].micro_batches, 50);
  EXPECT_EQ(models[1].micro_batches, 192);
  EXPECT_NEAR(models[0].speed_up(48) / 25, 1, 0.05) << "two passes";
  EXPECT_NEAR(models[1].speed_up(64) / 64, 1, 0.05);
  EXPECT_EQ(models[0].speed_up(1), 1);
  for (const ScaledModel& model : models)
    for (const auto& [wafers, seconds] : model.seconds)
      EXPECT_LE(model.speed_up(wafers), model.micro_batches / std::ceil(1.0 * model.micro_batches / wafers) * 1.001);
}

TEST(Figure7, SlowerPartsTakeTheirTime) {
  const std::vector<Gpt3Line> lines{line("Small", 250)};
  const auto step = [&](const std::vector<std::string>& set, int wafers) {
    DrawnSystem system;
    for (const std::string& one : set) system.set(one);
    return scaled_models(lines, system)[0].seconds.at(wafers);
  };
  const double drawn = step({}, 64);
  EXPECT_GT(step({"bandwidth=1e8"}, 64), 90 * 1e6 / 1e8) << "a micro-batch's bytes through one link";
  EXPECT_GT(step({"node=1e9"}, 64), 90 * 1e6 * 2 * 4 / 1e9) << "four children, down and up";
  EXPECT_GT(step({"memory=4e9"}, 64), 90 * 1e5 * 40 / 4e9) << "an update";
  EXPECT_GT(step({"latency=1e-3"}, 64), drawn + 50e-3) << "of a hop, and of each op";
  EXPECT_GT(step({"fanout=2", "latency=1e-3"}, 64), step({"fanout=8", "latency=1e-3"}, 64)) << "levels";
}

TEST(Figure7, RefusesWhatASystemHasNot) {
  DrawnSystem system;
  for (const char* wrong : {"", "speed=3", "bandwidth", "bandwidth=", "bandwidth=0", "bandwidth=-1", "bandwidth=1x",
                            "latency=nan", "fanout=1", "fanout=2.5"})
    EXPECT_THROW(system.set(wrong), Refusal) << wrong;
  system.set("fanout=8");
  EXPECT_EQ(system.fanout, 8);
}

}  // namespace
}  // namespace weft::bench
