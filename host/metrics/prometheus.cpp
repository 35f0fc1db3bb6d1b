#include "host/metrics/prometheus.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <string_view>
#include <utility>

#include "host/checkpoint/file.hpp"
#include "host/system/overwrite_guard.hpp"

namespace weft::metrics {
namespace {

double unix_time() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\' || c == '"') result += '\\';
    if (c == '\n') {
      result += "\\n";
    } else {
      result += c;
    }
  }
  return result;
}

std::string sample_value(double x) {
  if (std::isnan(x)) return "NaN";
  if (std::isinf(x)) return x > 0 ? "+Inf" : "-Inf";
  return fmt::format("{}", x);
}

/// Formats metrics with their labels, line by line.
class Lines {
 public:
  explicit Lines(std::string labels) : labels_(std::move(labels)) {}

  void gauge(const char* name, const char* help, std::optional<double> value) { add(name, help, "gauge", value); }
  void counter(const char* name, const char* help, double value) { add(name, help, "counter", value); }
  void info(const char* name, const char* help, const std::string& labels) {
    head(name, help, "gauge");
    text_ += fmt::format("weft_{}{{{},{}}} 1\n", name, labels_, labels);
  }
  std::string text() const { return text_; }

 private:
  void head(const char* name, const char* help, const char* type) {
    text_ += fmt::format("# HELP weft_{0} {1}\n# TYPE weft_{0} {2}\n", name, help, type);
  }
  void add(const char* name, const char* help, const char* type, std::optional<double> value) {
    if (!value) return;
    head(name, help, type);
    text_ += fmt::format("weft_{}{{{}}} {}\n", name, labels_, sample_value(*value));
  }

  std::string labels_, text_;
};

double count(std::uint64_t n) { return static_cast<double>(n); }

}  // namespace

PrometheusFile::PrometheusFile(const config::Config& config, std::string run, std::uint64_t done)
    : file_(config.metrics_prometheus),
      labels_(fmt::format("model_dir=\"{}\"", escaped(std::filesystem::absolute(config.runconfig.model_dir).string()))),
      info_(fmt::format("run=\"{}\",network=\"{}\",backend=\"{}\",num_csx=\"{}\"", run, escaped(config.model.network),
                        escaped(config.backend), config.runconfig.num_csx)),
      done_(done),
      max_steps_(static_cast<std::uint64_t>(config.runconfig.steps())),
      begun_(unix_time()) {}

std::string PrometheusFile::text() const {
  Lines lines(labels_);
  lines.info("run_info", "Identity of the run; the value is always 1.", info_);
  lines.gauge("start_time_seconds", "When this process began to train, since 1970.", begun_);
  lines.gauge("step", "Total number of steps done.", count(last_ ? last_->step : done_));
  lines.gauge("max_steps", "Total number of steps of the run.", count(max_steps_));
  lines.counter("steps_total", "Steps done by this process.", count(steps_));
  lines.counter("skipped_steps_total", "Steps of this process that diverged and changed nothing.", count(skipped_));
  lines.counter("tokens_total", "Tokens trained on by this process.", count(tokens_));
  lines.counter("training_seconds_total", "Time of the steps of this process.", seconds_);
  lines.counter("edge_bytes_total", "Bytes in and out at the west edges of all wafers.", count(edge_bytes_));
  lines.counter("simulated_cycles_total", "Cycles of the slowest wafer; 0 for wafers without a clock.",
                count(sim_cycles_));
  lines.counter("repeated_micro_batches_total", "Micro-batches that were computed again.", count(repeated_));
  lines.counter("mask_updates_total", "Mask updates by this process.", count(mask_updates_));
  lines.counter("deals_total", "Former name of weft_mask_updates_total.", count(mask_updates_));
  lines.gauge("kept_parameters", "Parameters left by the last mask update of this process.", kept_);
  lines.gauge("eval_loss", "Mean over tokens of the last evaluation, nats.", eval_loss_);
  if (!last_) return lines.text();
  const StepMetrics& m = *last_;
  lines.gauge("last_step_time_seconds", "When the last step was done, since 1970.", time_);
  lines.gauge("loss", "Mean over tokens before the last step's update, nats.", m.loss);
  lines.gauge("grad_norm", "Norm of the mean gradient, before clipping.", m.grad_norm);
  lines.gauge("learning_rate", "Learning rate of the last step.", m.learning_rate);
  lines.gauge("step_seconds", "Time of the last step.", m.seconds);
  lines.gauge("tokens_per_second", "Tokens per second in the last step.", count(m.tokens) / m.seconds);
  lines.gauge("steps_per_second", "Steps per second at the speed of the last step.", 1 / m.seconds);
  lines.gauge("fpu_utilization_ratio", "Multiply-adds of the last step as a share of the possible number.",
              m.fpu_utilization);
  return lines.text();
}

void PrometheusFile::write() const {
  if (file_.empty()) return;
  try {
    checkpoint::AtomicFile file(file_);
    file.write(text());
    file.publish();
  } catch (const Refusal& e) {
    throw e.reworded("metrics.prometheus", fmt::format("{}: {}", e.subject(), e.problem()),
                     "make room there, name a file that can be written, or leave it out");
  }
}

void PrometheusFile::begin() {
  try {
    if (!file_.empty()) system::guard_overwrite(file_, "# HELP weft_");
  } catch (const Refusal& e) {
    throw e.within("metrics.prometheus");
  }
  write();
}

void PrometheusFile::add(const StepMetrics& m) {
  ++steps_;
  skipped_ += m.skipped ? 1 : 0;
  tokens_ += m.tokens;
  repeated_ += m.repeated.value_or(0);
  sim_cycles_ += m.sim_cycles.value_or(0);
  edge_bytes_ += m.edge_bytes.value_or(0);
  seconds_ += m.seconds;
  time_ = unix_time();
  last_ = m;
  mask_updates_ += m.kept ? 1 : 0;
  if (m.kept) kept_ = count(*m.kept);
  if (m.eval_loss) eval_loss_ = m.eval_loss;
  write();
}

}  // namespace weft::metrics
