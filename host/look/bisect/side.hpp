/// One of the two that are compared.
#pragma once

#include "host/look/bisect/trail.hpp"

namespace weft::bisect {

class Side {
 public:
  virtual ~Side() = default;
  virtual Steps steps() = 0;
  /// The state after step `step`; of the first one before any step.
  virtual State state(std::uint64_t step) = 0;
  virtual Phases phases(std::uint64_t step) = 0;
  virtual Phase phase(const Request& request) = 0;
};

}  // namespace weft::bisect
