/// Bisects two runs that should agree: finds the first difference, from coarse to fine.
#pragma once

#include <iosfwd>

#include "host/inspect/bisect/finding.hpp"
#include "host/inspect/bisect/side.hpp"

namespace weft::inspect::bisect {

/// Finds the first difference. Requests no more from each side than is needed.
Finding bisect(Side& a, Side& b, std::ostream& progress);

}  // namespace weft::inspect::bisect
