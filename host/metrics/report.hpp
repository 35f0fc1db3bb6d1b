/// Output of the program during training.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>

#include "host/config/config.hpp"
#include "host/metrics/metrics.hpp"
#include "host/system/progress.hpp"

namespace weft::metrics {

/// "1h02m", "2m05s", "12s".
std::string duration(double seconds);

class Report {
 public:
  /// All references must outlive this object. `progress`: cleared before a line is printed; null: none.
  Report(const config::Config& config, std::ostream& out, system::Progress* progress = nullptr);

  /// Prints the setup and the column titles. `parameters`: total of the model; `kept`: unpruned ones; `samples`: size
  /// of the corpus, 0 if it is not known.
  void header(std::uint64_t parameters, std::uint64_t kept, std::uint64_t samples);
  /// Prints a line every log_steps, and for the first and the last step, in the format of runconfig.log_style.
  void step(const StepMetrics& metrics);
  /// Prints the losses of the first and the last step, compared to a uniform guess.
  void summary();

 private:
  bool in_lines() const { return config_.runconfig.log_style == "global_step"; }
  /// "global_step = 50, loss = 7.30078125, rate = 0.492 steps/sec"; the rate is measured since the previous line.
  void line(const StepMetrics& metrics, bool last);

  const config::Config& config_;
  std::ostream& out_;
  system::Progress* progress_;
  std::optional<StepMetrics> first_, last_;
  double seconds_ = 0;
  std::uint64_t tokens_ = 0, steps_ = 0, skipped_ = 0;
  double lines_seconds_ = 0;  // duration of the steps up to the last line
  std::uint64_t lines_steps_ = 0;
};

}  // namespace weft::metrics
