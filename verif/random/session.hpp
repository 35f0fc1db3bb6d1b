/// Many cases, one after the other.
#pragma once

#include <cstdint>
#include <string>

#include "verif/random/run.hpp"

namespace weft::random {

/// Of this build: `build/weft-random` or another.
std::string built_program();

struct Session {
  std::uint64_t seed = 1, from = 0;
  std::string program = built_program();  ///< that replays a case
  bool progress = false;                  ///< a line every ten seconds
  Coverage coverage;
  std::string report;  ///< of the case that failed, also printed

  /// Cases until so many instructions are executed, or one differs: false.
  bool programs(std::uint64_t instructions);
  /// So many.
  bool fabrics(std::uint64_t count);
  /// Only one. False: it differs.
  bool one(bool fabric, std::uint64_t number, bool print = false);

 private:
  bool step(bool fabric, std::uint64_t number);
  bool fail(const Case& c, const Result& result);
};

/// The machines in this program.
Machines built_machines();

}  // namespace weft::random
