/// The text file for Prometheus. Other programs' reading of it is checked in tests/interop/prometheus_test.py.
#include "host/metrics/prometheus.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "host/checkpoint/error.hpp"
#include "tests/checkpoint/files.hpp"

namespace weft::metrics {
namespace {

class PrometheusTest : public testing::Test {
 protected:
  PrometheusTest() {
    config_.metrics_prometheus = folder_ / "weft.prom";
    config_.runconfig.model_dir = "/tmp/a\"b\\c\nd";
    config_.runconfig.max_steps = 100;
  }
  static StepMetrics metrics(std::uint64_t step) {
    StepMetrics m;
    m.step = step;
    m.loss = 4.5;
    m.tokens = 512;
    m.seconds = 0.5;
    m.edge_bytes = 1000;
    return m;
  }
  /// The value of a metric in the file; "none" if the file lacks the metric.
  std::string value(const std::string& name) const {
    std::istringstream in(checkpoint::text_of(config_.metrics_prometheus));
    for (std::string line; std::getline(in, line);)
      if (line.starts_with("weft_" + name + "{")) return line.substr(line.rfind(' ') + 1);
    return "none";
  }

  checkpoint::TestFolder folder_{"prometheus_test"};
  config::Config config_;
};

TEST_F(PrometheusTest, CountersCountThisProcessAndGaugesAreOfTheLastStep) {
  PrometheusFile file(config_, "0123456789abcdef", 40);
  file.begin();
  EXPECT_EQ(value("step"), "40");
  EXPECT_EQ(value("steps_total"), "0");
  EXPECT_EQ(value("loss"), "none");
  file.add(metrics(41));
  StepMetrics last = metrics(42);
  last.loss = NAN;
  last.skipped = true;
  last.eval_loss = 4.25;
  file.add(last);
  EXPECT_EQ(value("step"), "42");
  EXPECT_EQ(value("max_steps"), "100");
  EXPECT_EQ(value("steps_total"), "2");
  EXPECT_EQ(value("tokens_total"), "1024");
  EXPECT_EQ(value("edge_bytes_total"), "2000");
  EXPECT_EQ(value("skipped_steps_total"), "1");
  EXPECT_EQ(value("tokens_per_second"), "1024");
  EXPECT_EQ(value("loss"), "NaN");
  EXPECT_EQ(value("eval_loss"), "4.25");
  EXPECT_EQ(value("fpu_utilization_ratio"), "none") << "nobody knows it";
  EXPECT_EQ(value("mask_updates_total"), "0");
  EXPECT_EQ(value("kept_parameters"), "none");
  StepMetrics updated = metrics(43);
  updated.kept = 7450;
  file.add(updated);
  file.add(metrics(44));
  EXPECT_EQ(value("mask_updates_total"), "1");
  EXPECT_EQ(value("deals_total"), "1");  // the former name
  EXPECT_EQ(value("kept_parameters"), "7450") << "of the last mask update";
  EXPECT_EQ(value("eval_loss"), "4.25") << "of the last evaluation";
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"weft.prom"}) << "nothing is left beside it";
}

TEST_F(PrometheusTest, LabelsAreEscaped) {
  PrometheusFile(config_, "0123456789abcdef", 0).begin();
  EXPECT_NE(checkpoint::text_of(config_.metrics_prometheus).find("weft_step{model_dir=\"/tmp/a\\\"b\\\\c\\nd\"} 0\n"),
            std::string::npos);
}

TEST_F(PrometheusTest, AFileOfSomethingElseIsNotLost) {
  const auto begin = [&](const std::string& text) {
    std::ofstream(config_.metrics_prometheus) << text;
    try {
      PrometheusFile(config_, "", 0).begin();
    } catch (const Refusal& e) {
      return std::string(e.subject()) + ": " + e.problem();
    }
    return std::string("begun");
  };
  EXPECT_EQ(begin("# A GPT-2\nmodel:\n"),
            "metrics.prometheus: " + config_.metrics_prometheus + ": exists with other content, which would be lost");
  EXPECT_EQ(checkpoint::text_of(config_.metrics_prometheus), "# A GPT-2\nmodel:\n");
  EXPECT_EQ(begin("x"),
            "metrics.prometheus: " + config_.metrics_prometheus + ": exists with other content, which would be lost");
  EXPECT_EQ(begin(""), "begun");
  EXPECT_EQ(begin(PrometheusFile(config_, "an earlier one", 7).text()), "begun");
  EXPECT_EQ(value("step"), "0");
}

TEST_F(PrometheusTest, AFileThatCannotBeWrittenIsNamedWithItsKey) {
  config_.metrics_prometheus = folder_ / "nowhere/weft.prom";
  PrometheusFile file(config_, "0123456789abcdef", 0);
  try {
    file.begin();
    ADD_FAILURE() << "it was written";
  } catch (const Refusal& e) {
    EXPECT_EQ(e.subject() + ": " + e.problem(), "metrics.prometheus: " + folder_ / "nowhere/weft.prom" +
                                                    ": cannot be written: No such file or directory");
  }
}

}  // namespace
}  // namespace weft::metrics
