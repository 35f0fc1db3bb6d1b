#include "host/appliance/metrics.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <stdexcept>

namespace weft {
namespace {

std::string number(double x) { return std::isfinite(x) ? fmt::format("{}", x) : "null"; }

}  // namespace

std::string to_json(const StepMetrics& m) {
  std::string json =
      fmt::format(R"({{"step": {}, "loss": {}, "grad_norm": {}, "lr": {}, "tokens": {}, "seconds": {}, )", m.step,
                  number(m.loss), number(m.grad_norm), number(m.learning_rate), m.tokens, number(m.seconds));
  json += fmt::format(R"("sim_cycles": {}, "fpu_utilization": {}, "state_hash": "{:016x}")",
                      m.sim_cycles ? fmt::format("{}", *m.sim_cycles) : "null",
                      m.fpu_utilization ? number(*m.fpu_utilization) : "null", m.state_hash);
  if (m.eval_loss) json += fmt::format(R"(, "eval_loss": {})", number(*m.eval_loss));
  return json + "}";
}

MetricsFile::MetricsFile(const std::string& model_dir)
    : path_((std::filesystem::path(model_dir) / "metrics.jsonl").string()) {
  std::error_code ignored;  // if the folder cannot be made, the file cannot be opened
  std::filesystem::create_directories(model_dir, ignored);
  out_.open(path_);
  if (!out_) throw std::runtime_error(path_ + " cannot be written");
}

void MetricsFile::add(const StepMetrics& metrics) {
  out_ << to_json(metrics) << std::endl;
  if (!out_) throw std::runtime_error(path_ + " cannot be written any more");
}

}  // namespace weft
