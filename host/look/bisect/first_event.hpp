/// The first of a tile's events in which two sides differ.
#pragma once

#include "host/look/bisect/bisect.hpp"

namespace weft::bisect {

/// Compares place by place, the n-th value of a place with the n-th, because what threads do beside each other comes in
/// another order if a commit has changed the timing; of the first ones of each place the one that `a` does first, or
/// `b`, if that place has none of `a`. Fills in place, a, b, by_a, by_b; false: there is none.
bool first_event(const Phase& a, const Phase& b, Finding& finding);

/// The first element of memory that differs, and who wrote it last. False: there is none.
bool first_element(const Phase& a, const Phase& b, Finding& finding);

}  // namespace weft::bisect
