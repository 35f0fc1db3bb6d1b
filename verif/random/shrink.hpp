/// Minimizes a failing case.
#pragma once

#include <functional>

#include "verif/random/case.hpp"

namespace weft::random {

/// Leaves out steps, halves of them first, then single instructions and messages, while `fails` returns true. The
/// result has no new race: steps are left out as a whole, single lines only where no other line relies on them.
Case shrink(const Case& c, const std::function<bool(const Case&)>& fails);

}  // namespace weft::random
