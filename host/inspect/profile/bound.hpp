/// Explains what bounds a phase, and where cycles are lost.
#pragma once

#include <string>
#include <vector>

#include "host/inspect/profile/profile.hpp"

namespace weft::inspect::profile {

/// Names the vector unit, a valve or an outlet if it is busy for nine tenths of the cycles (means over tiles; for the
/// vector unit, one such tile suffices), otherwise the most frequent stall reason of main, or of psum if main mostly
/// waits for psum.
std::string bound(const Sum& sum);

/// Cycles of the whole micro-batch in which main did not issue, for one stall reason.
struct Loss {
  isa::StallReason reason{};
  double cycles = 0;  ///< mean over tiles
  double part = 0;    ///< fraction of all cycles
  std::string words;  ///< the phases with most of it
};

/// All losses, the largest first.
std::vector<Loss> losses(const Profile& profile);

}  // namespace weft::inspect::profile
