/// Results of an undisturbed run: a checkpoint and a line of metrics for each step.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/fault_injection/shape.hpp"

namespace weft::fault_injection {

/// Steps of the reference run; no faulty run takes more.
constexpr int kReferenceSteps = 56;

class Reference {
 public:
  /// Trains the run, once for each shape. Thread-safe.
  static const Reference& of(const Shape& shape);

  /// The bytes of checkpoint_<step>.safetensors.
  const std::string& checkpoint(int step) const { return checkpoints_.at(static_cast<std::size_t>(step)); }
  /// The metrics of a step, counted from 1, without clock times.
  const nlohmann::json& metrics(int step) const { return metrics_.at(static_cast<std::size_t>(step)); }
  std::string state_hash(int step) const { return metrics(step).at("state_hash"); }

 private:
  explicit Reference(const Shape& shape);

  std::vector<std::string> checkpoints_;
  std::vector<nlohmann::json> metrics_;
};

/// Parses a line of metrics and drops clock times; null if the line is not an object.
nlohmann::json metrics_line(const std::string& line);

/// "checkpoint_<step>.safetensors"
std::string checkpoint_name(int step);

}  // namespace weft::fault_injection
