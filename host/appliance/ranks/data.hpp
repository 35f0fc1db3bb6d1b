/// A rank that reads the data.
#pragma once

#include <iosfwd>
#include <string>

#include "host/appliance/ranks/joining.hpp"
#include "host/config/config.hpp"
#include "host/data/data.hpp"

namespace weft {

/// What root and data rank must have alike: the tokens, and the order in which they are taken, of which data set.
std::string data_name(const Config& config, const TrainingData& data);

/// Joins the run and gives the root its micro-batches' tokens until it is over; returns the exit code. Lines on `out`.
/// Throws as run_data_member, and Refusal if there is no such data.
int run_data(const Config& config, const Joining& joining, std::ostream& out);

}  // namespace weft
