/// A rank that reads the training data.
#pragma once

#include <iosfwd>
#include <string>

#include "host/ranks/joining.hpp"
#include "host/config/config.hpp"
#include "host/data/data.hpp"

namespace weft {

/// Identifies what root and data rank must have in common: the tokens, and the order and data sets from which they are
/// taken.
std::string data_name(const Config& config, const TrainingData& data);

/// Joins the run and provides the root with the tokens of its micro-batches until the run ends. Returns the exit code.
/// Logs to `out`. Throws as run_data_member, and Refusal if there is no such data.
int run_data(const Config& config, const Joining& joining, std::ostream& out);

}  // namespace weft
