/// The first of two lists' lines, or of two states' numbers, that differ.
#pragma once

#include "host/look/bisect/bisect.hpp"

namespace weft::bisect {

/// Fills in place ("message 17"), a and b; false: there is none.
bool first_message(const std::vector<std::string>& a, const std::vector<std::string>& b, Finding& finding);

/// Weights, then moments. Fills in place ("h.0.ln_1.weight[5]"), a and b; false: there is none.
bool first_number(const State& a, const State& b, Finding& finding);

}  // namespace weft::bisect
