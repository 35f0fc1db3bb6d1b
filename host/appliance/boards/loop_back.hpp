/// Loop-back test of a wafer: random words go to every tile and come back through link, valve, routers and outlets.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "verif/wafer.hpp"

namespace weft {

struct LoopBack {
  std::uint64_t words = 0;                 ///< that came back
  std::vector<std::string> wrong_tiles{};  ///< "row 1 column 0: 3 of 64 words differ"
};

/// Resets the wafer, writes random words into the memory of each tile, and has a small program send them back.
/// Overwrites the wafer's programs and the first words of its memories. Throws as Wafer does.
LoopBack loop_back(Wafer& wafer, std::uint64_t seed);

}  // namespace weft
