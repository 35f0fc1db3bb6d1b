/// Loop-back test of a wafer: sends random words to every tile and back through link, valve, routers and outlets.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "verif/wafer.hpp"

namespace weft::cli {

struct LoopBack {
  std::uint64_t words = 0;                 ///< number of words that returned
  std::vector<std::string> wrong_tiles{};  ///< "row 1 column 0: 3 of 64 words differ"
};

/// Resets the wafer, writes random words into the memory of each tile, and runs a small program that sends them back.
/// Overwrites the wafer's programs and the first words of its memories. Throws as Wafer does.
LoopBack loop_back(Wafer& wafer, std::uint64_t seed);

}  // namespace weft::cli
