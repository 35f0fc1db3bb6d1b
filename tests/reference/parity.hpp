/// PyTorch's recorded results of the cases in pytorch/cases.json (docs/explanation/parity.md), and the same models'
/// configurations.
#pragma once

#include <string>
#include <vector>

#include "host/config/config.hpp"

namespace weft::reference {

/// Names in cases.json, sorted; `section`: "cases", or "options", which have a loss curve only.
std::vector<std::string> case_names(const std::string& section = "cases");

/// A case's configuration, on the functional model. Its evaluation data is the corpus.
config::Config case_config(const std::string& name);
/// The equivalent arguments of `weft`.
std::vector<std::string> case_arguments(const std::string& name);

/// Configuration of an option: 50 steps of the parameter file with the option's keys, on the functional model.
config::Config option_config(const std::string& name);

/// A file of a case's folder in pytorch/recorded/.
std::string recorded(const std::string& name, const std::string& file);

/// The loss before each step, [steps]; for an option, `name` is "options/NAME.csv".
std::vector<double> recorded_losses(const std::string& name);

/// PyTorch's loss of the checkpoint that `owner`, "weft" or "pytorch", has trained for 100 steps.
double recorded_eval_loss(const std::string& name, const std::string& owner);

/// The first step's gradients after clipping, laid out by `tensors`.
std::vector<float> recorded_gradients(const std::string& name, const std::vector<compiler::TensorInfo>& tensors);

}  // namespace weft::reference
