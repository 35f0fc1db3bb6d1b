/// What the program prints while it trains.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>

#include "host/appliance/metrics.hpp"
#include "host/config/config.hpp"

namespace weft {

/// "1h02m", "2m05s", "12s".
std::string duration(double seconds);

class Report {
 public:
  /// `config` and `out` must outlive this.
  Report(const Config& config, std::ostream& out);

  /// What is being run, and the titles of the columns. `parameters`: of the model; `kept`: those its masks keep;
  /// `samples`: of the corpus.
  void header(std::uint64_t parameters, std::uint64_t kept, std::uint64_t samples);
  /// One line every log_steps, and for the first and the last step; runconfig.log_style says of which form.
  void step(const StepMetrics& metrics);
  /// The losses of the first and the last step, against a uniform guess.
  void summary();

 private:
  bool in_lines() const { return config_.runconfig.log_style == "global_step"; }
  /// "global_step = 50, loss = 7.30078125, rate = 0.492 steps/sec": the rate is that since the line before.
  void line(const StepMetrics& metrics, bool last);

  const Config& config_;
  std::ostream& out_;
  std::optional<StepMetrics> first_, last_;
  double seconds_ = 0;
  std::uint64_t tokens_ = 0, steps_ = 0, skipped_ = 0;
  double lines_seconds_ = 0;  // of the steps up to the last line
  std::uint64_t lines_steps_ = 0;
};

}  // namespace weft
