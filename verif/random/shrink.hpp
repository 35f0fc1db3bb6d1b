/// Makes a case that fails as small as it gets.
#pragma once

#include <functional>

#include "verif/random/case.hpp"

namespace weft::random {

/// Leaves out steps, halves of them first, then single instructions and messages, as long as `fails` says yes. Whatever
/// is left out leaves no race: steps go as a whole, single lines only where nobody else relies on them.
Case shrink(const Case& c, const std::function<bool(const Case&)>& fails);

}  // namespace weft::random
