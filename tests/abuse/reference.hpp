/// What an undisturbed run gives: a checkpoint and a line of metrics for each step.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/abuse/shape.hpp"

namespace weft::abuse {

/// Steps that it knows; no abused run takes more.
constexpr int kReferenceSteps = 56;

class Reference {
 public:
  /// Trains it, once for a shape. Thread-safe.
  static const Reference& of(const Shape& shape);

  /// The bytes of checkpoint_<step>.safetensors.
  const std::string& checkpoint(int step) const { return checkpoints_.at(static_cast<std::size_t>(step)); }
  /// The line of a step, from 1 on, without what a clock says.
  const nlohmann::json& metrics(int step) const { return metrics_.at(static_cast<std::size_t>(step)); }
  std::string state_hash(int step) const { return metrics(step).at("state_hash"); }

 private:
  explicit Reference(const Shape& shape);

  std::vector<std::string> checkpoints_;
  std::vector<nlohmann::json> metrics_;
};

/// A line without what a clock says; no object if it is none.
nlohmann::json metrics_line(const std::string& line);

/// "checkpoint_<step>.safetensors"
std::string checkpoint_name(int step);

}  // namespace weft::abuse
