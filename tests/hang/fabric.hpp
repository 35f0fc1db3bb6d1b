/// Random small fabrics whose threads exchange words in orders that may or may not need more room than links have.
#pragma once

#include <string>
#include <vector>

#include "sw/machine/message.hpp"
#include "sw/machine/shape.hpp"
#include "tests/random.hpp"

namespace weft::test {

struct Fabric {
  /// Some tile does one vdot after another, and gathers ahead: `weft check` does not count on what that makes room for.
  bool ahead = false;
  WaferShape shape;
  std::vector<std::string> sources;  ///< [tile]
  std::vector<Message> messages;     ///< routes, programs, a call, and what W brings
};

/// As many words are sent as are taken, on every stream, and all entries of MP and PM are: only their order, or too
/// little room, can make it hang.
Fabric random_fabric(Dice& dice, int lanes, int colors = isa::kWaferColors);
/// Of 4 or 8 lanes.
Fabric random_fabric(Dice& dice);

}  // namespace weft::test
