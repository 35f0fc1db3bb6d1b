/// Training has left the numbers: a loss, a gradient or a weight that is none, or larger than any of a working model.
#pragma once

#include <stdexcept>

namespace weft {

/// `what()` names the tensor or token. The state it comes of is not to be saved.
struct Diverged : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace weft
