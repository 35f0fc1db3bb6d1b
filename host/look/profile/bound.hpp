/// What bounds a phase, in words; and where the cycles are lost.
#pragma once

#include <string>
#include <vector>

#include "host/look/profile/profile.hpp"

namespace weft::profile {

/// Of the means over tiles: the vector unit, a valve or an outlet if it is busy for nine tenths of the cycles, else
/// what main waits for most; where that is psum, what psum waits for.
std::string bound(const Sum& sum);

/// Cycles in which main did not issue, for one cause, of the whole micro-batch.
struct Loss {
  isa::Cause cause{};
  double cycles = 0;  ///< of a tile, the mean
  double part = 0;    ///< of all cycles
  std::string words;  ///< where most of it is
};

/// All, the largest first.
std::vector<Loss> losses(const Profile& profile);

}  // namespace weft::profile
