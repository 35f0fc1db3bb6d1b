#include "host/metrics/metrics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "host/metrics/report.hpp"

namespace weft::metrics::metrics_test {
namespace {

StepMetrics metrics(std::uint64_t step) {
  return {.step = step,
          .loss = 4.5,
          .grad_norm = 1.25,
          .learning_rate = 0.001,
          .tokens = 512,
          .seconds = 0.5,
          .times = {{0.015625, 0.125, 0.0625, 0.125, 0.125, 0.03125, 0.015625}},
          .sim_cycles = 123456,
          .fpu_utilization = 0.25,
          .state_hash = 0xabc,
          .eval_loss = std::nullopt};
}

std::vector<std::string> lines(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> result;
  for (std::string line; std::getline(in, line);) result.push_back(line);
  return result;
}

TEST(Metrics, AStepIsOneJsonObject) {
  EXPECT_EQ(to_json(metrics(3)),
            R"({"step": 3, "loss": 4.5, "grad_norm": 1.25, "lr": 0.001, "tokens": 512, "seconds": 0.5, )"
            R"("time_stream": 0.125, "time_room": 0.0625, "time_compute": 0.125, "time_wait": 0.125, )"
            R"("time_reduce": 0.03125, "time_update": 0.015625, "time_rest": 0.015625, "sim_cycles": 123456, )"
            R"("fpu_utilization": 0.25, "state_hash": "0000000000000abc"})");
}

TEST(Metrics, UnknownValueIsNull) {
  StepMetrics m = metrics(1);
  m.sim_cycles.reset();
  m.fpu_utilization.reset();
  m.loss = NAN;
  m.eval_loss = 4;
  EXPECT_EQ(to_json(m),
            R"({"step": 1, "loss": null, "grad_norm": 1.25, "lr": 0.001, "tokens": 512, "seconds": 0.5, )"
            R"("time_stream": 0.125, "time_room": 0.0625, "time_compute": 0.125, "time_wait": 0.125, )"
            R"("time_reduce": 0.03125, "time_update": 0.015625, "time_rest": 0.015625, "sim_cycles": null, )"
            R"("fpu_utilization": null, "state_hash": "0000000000000abc", )"
            R"("eval_loss": 4})");
}

TEST(Metrics, ALineSaysAllThatAStepHad) {
  StepMetrics m = metrics(7);
  m.loss = 0.1 + 0.2;
  m.edge_bytes = 1ULL << 40;
  m.repeated = 3;
  m.network_stall = 0.25;
  m.slow = {"wafer 1 on 10.0.0.2: its link"};
  m.eval_loss = 4.25;
  for (const bool skipped : {false, true}) {
    m.skipped = skipped;
    EXPECT_EQ(to_json(parse_metrics(to_json(m))), to_json(m));
    EXPECT_EQ(parse_metrics(to_json(m)).loss, m.loss);
    EXPECT_EQ(parse_metrics(to_json(m)).network_stall, 0.25);
  }
  m.sim_cycles.reset();
  m.fpu_utilization.reset();
  m.loss = NAN;
  m.eval_loss = NAN;
  EXPECT_EQ(to_json(parse_metrics(to_json(m))), to_json(m));
  EXPECT_TRUE(std::isnan(parse_metrics(to_json(m)).loss));
}

TEST(Report, ColumnsAreAlignedUnderTheirTitles) {
  config::Config config;
  config.runconfig.max_steps = 1000;
  std::ostringstream out;
  Report report(config, out);
  report.header(29568, 29568, 7204);
  const std::string titles = lines(out.str()).back();
  out.str("");
  report.step(metrics(1));
  EXPECT_EQ(lines(out.str())[0].size(), titles.size());
  EXPECT_NE(out.str().find(" 25.0%"), std::string::npos);
  EXPECT_NE(out.str().find("8m20s"), std::string::npos);  // 999 steps at half a second each
}

TEST(Report, NamesOfFilesAreEscaped) {
  config::Config config;
  config.file = "a\x1b[31m.yaml";
  config.model.network = "b\n\x1b]0;name\x07.yaml";
  std::ostringstream out;
  Report(config, out).header(29568, 29568, 7204);
  EXPECT_EQ(lines(out.str())[0], "run     a\\x1b[31m.yaml");
  EXPECT_NE(out.str().find("\nmodel   b\\x0a\\x1b]0;name\\x07.yaml, "), std::string::npos) << out.str();
}

TEST(Report, PrintsEveryLogStepsAndTheEnds) {
  config::Config config;
  config.runconfig.max_steps = 10;
  config.runconfig.log_steps = 4;
  std::ostringstream out;
  Report report(config, out);
  for (std::uint64_t step = 1; step <= 10; ++step) report.step(metrics(step));
  EXPECT_EQ(lines(out.str()).size(), 4U);  // steps 1, 4, 8 and 10
  report.summary();
  EXPECT_NE(out.str().find("loss from 4.5000 to 4.5000 in 10 steps, 5120 tokens, 5s"), std::string::npos) << out.str();
}

TEST(Report, LinesHaveTheRateSinceTheOneBefore) {
  config::Config config;
  config.runconfig.max_steps = 10;
  config.runconfig.log_steps = 4;
  config.runconfig.log_style = "global_step";
  std::ostringstream out;
  Report report(config, out);
  for (std::uint64_t step = 1; step <= 10; ++step) {
    StepMetrics one = metrics(step);
    one.loss = 7.30078125;
    one.seconds = step <= 4 ? 2 : 0.5;
    if (step == 10) one.skipped = true;
    report.step(one);
  }
  EXPECT_EQ(out.str(),
            "INFO: weft:global_step = 4, loss = 7.30078125, rate = 0.5 steps/sec\n"
            "INFO: weft:global_step = 8, loss = 7.30078125, rate = 2 steps/sec\n"
            "INFO: weft:global_step = 10, loss = skipped, rate = 2 steps/sec\n");
}

TEST(Report, DurationsAreShort) {
  EXPECT_EQ(duration(0.4), "0s");
  EXPECT_EQ(duration(125), "2m05s");
  EXPECT_EQ(duration(3720), "1h02m");
}

}  // namespace
}  // namespace weft::metrics::metrics_test
