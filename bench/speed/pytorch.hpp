/// A training step in PyTorch, if it is installed (bench/pytorch/step.py).
#pragma once

#include <optional>
#include <string>

namespace weft::bench {

struct PyTorchStep {
  double seconds;  ///< processor time, one thread
  std::string version;
};

/// Runs a step of the model in a parameter file with $PYTHON, or /usr/bin/python3. Returns nullopt if PyTorch is not
/// installed. Throws std::runtime_error if the step fails.
std::optional<PyTorchStep> pytorch_step(const std::string& params);

}  // namespace weft::bench
