/// Who is not let in.
#pragma once

#include "host/swarmx/error.hpp"

namespace weft {

/// The other side does not take us, or we do not take it: another key, another job, a name that nobody expects. To try
/// again is of no use. `what()` ends with a HINT.
struct Refused : SwarmError {
  using SwarmError::SwarmError;
};

/// Rejection by a process of another run, or of another version.
struct RefusedElsewhere : Refused {
  using Refused::Refused;
};

}  // namespace weft
