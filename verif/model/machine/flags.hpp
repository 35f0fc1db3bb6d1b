/// Sticky flags of a tile, or of tiles that share them.
#pragma once

#include <cstdint>

#include "isa_machine.hpp"

namespace weft::model {

struct Flags {
  std::uint8_t bits = 0;  ///< indexed by isa::Flag

  void set(isa::Flag f) { bits = static_cast<std::uint8_t>(bits | 1u << static_cast<unsigned>(f)); }
};

}  // namespace weft::model
