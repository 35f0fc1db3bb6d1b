/// Finds the first difference between two lists of messages, or between two states.
#pragma once

#include "host/inspect/bisect/finding.hpp"
#include "host/inspect/bisect/side.hpp"

namespace weft::inspect::bisect {

/// Fills in place ("message 17"), a and b. Returns false if there is no difference.
bool first_message(const std::vector<std::string>& a, const std::vector<std::string>& b, Finding& finding);

/// Compares weights, then moments. Fills in place ("h.0.ln_1.weight[5]"), a and b. Returns false if there is no
/// difference.
bool first_number(const State& a, const State& b, Finding& finding);

}  // namespace weft::inspect::bisect
