/// Finds the first event of a tile in which two sides differ.
#pragma once

#include "host/inspect/bisect/finding.hpp"
#include "host/inspect/bisect/side.hpp"

namespace weft::inspect::bisect {

/// Compares the n-th value of each place with the n-th of the same place on the other side, because a commit that
/// changes timing may reorder the events of concurrent threads. Of the first differences of all places, reports the one
/// that occurs first in `a`, or in `b` where `a` has no such event. Fills in place, a, b, by_a, by_b; returns false if
/// there is no difference.
bool first_event(const Phase& a, const Phase& b, Finding& finding);

/// Finds the first element of memory that differs, and its last writer. Returns false if there is none.
bool first_element(const Phase& a, const Phase& b, Finding& finding);

}  // namespace weft::inspect::bisect
