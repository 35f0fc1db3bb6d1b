/// The failure of a run whose training has diverged: a loss, a gradient or a weight is not a number, or is larger than
/// any of a working model.
#pragma once

#include <stdexcept>

namespace weft::memoryx {

/// `what()` names the tensor or token. The state that led to this error must not be saved.
struct Diverged : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace weft::memoryx
