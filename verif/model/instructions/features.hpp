/// What the two instructions that take W's stream share: the features its indices name, and its end.
#pragma once

#include "verif/model/machine/machine.hpp"

namespace weft::model {

/// Finds the x of 1 to n indices: as many as lie in one piece each. If that is not so for the first, only it. Valid
/// until the next one. Returns how many.
int find_features(Machine& m, const VectorOp& op, const std::uint16_t* index, int n, const std::uint16_t** x);

/// Takes the CR, if it is next. Any other command ends the stream as well.
Outcome end_of_stream(Machine& m, VectorOp& op);

}  // namespace weft::model
