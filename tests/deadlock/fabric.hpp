/// Random small fabrics whose threads exchange words in orders that may need more room than the links have.
#pragma once

#include <string>
#include <vector>

#include "sw/machine/message.hpp"
#include "sw/machine/shape.hpp"
#include "tests/random.hpp"

namespace weft::deadlock {

struct Fabric {
  /// Some tile runs consecutive vdots and gathers ahead; `weft check` does not rely on the room that this frees.
  bool ahead = false;
  machine::WaferShape shape;
  std::vector<std::string> sources;        ///< [tile]
  std::vector<machine::Message> messages;  ///< routes, programs, a call, and the W stream
};

/// Every stream has as many words sent as taken, and all entries of MP and PM are used: only the order, or too little
/// room, can cause a hang.
Fabric random_fabric(test::Rng& rng, int lanes, int colors = isa::kWaferColors);
/// A random fabric with 4 or 8 lanes.
Fabric random_fabric(test::Rng& rng);

}  // namespace weft::deadlock
