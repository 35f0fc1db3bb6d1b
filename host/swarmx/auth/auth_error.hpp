/// Errors of connections that are rejected.
#pragma once

#include "host/swarmx/base/error.hpp"

namespace weft::swarmx {

/// One side rejects the other: another key, another job, an unexpected name. Trying again is useless. `what()` ends
/// with a HINT.
struct AuthError : SwarmError {
  using SwarmError::SwarmError;
};

/// Rejection by a process of another run, or of another version.
struct OtherRunError : AuthError {
  using AuthError::AuthError;
};

}  // namespace weft::swarmx
