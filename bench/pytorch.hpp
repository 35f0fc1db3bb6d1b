/// A training step in PyTorch, if a Python has it (bench/pytorch/step.py).
#pragma once

#include <optional>
#include <string>

namespace weft::bench {

struct PyTorchStep {
  double seconds;  ///< of the processor, one thread
  std::string version;
};

/// Of the model in a parameter file. The Python is $PYTHON, else /usr/bin/python3. Nothing: it has no PyTorch. Throws
/// std::runtime_error if it has, but fails.
std::optional<PyTorchStep> pytorch_step(const std::string& params);

}  // namespace weft::bench
