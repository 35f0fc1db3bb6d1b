/// One of the two runs to compare.
#pragma once

#include "host/inspect/bisect/fingerprint.hpp"

namespace weft::inspect::bisect {

class Side {
 public:
  virtual ~Side() = default;
  virtual Steps steps() = 0;
  /// State after step `step`; for Steps::first, the initial state.
  virtual State state(std::uint64_t step) = 0;
  virtual Phases phases(std::uint64_t step) = 0;
  virtual Phase phase(const Request& request) = 0;
};

}  // namespace weft::inspect::bisect
