/// Runner of many cases, one after the other.
#pragma once

#include <cstdint>
#include <string>

#include "verif/random/run.hpp"

namespace weft::random {

/// Path of this program: `build/weft-random` or another.
std::string built_program();

struct Session {
  std::uint64_t seed = 1, from = 0;
  std::string program = built_program();  ///< program that replays a case
  bool progress = false;                  ///< print a line every ten seconds
  Coverage coverage;
  std::string report;  ///< report of the failed case, also printed

  /// Runs cases until `instructions` are executed. Returns false if one differs.
  bool programs(std::uint64_t instructions);
  /// Runs `count` fabric cases.
  bool fabrics(std::uint64_t count);
  /// Runs a single case. Returns false if it differs.
  bool one(bool fabric, std::uint64_t number, bool print = false);

 private:
  bool step(bool fabric, std::uint64_t number);
  bool fail(const Case& c, const Result& result);
};

/// The machines built into this program.
Machines built_machines();

}  // namespace weft::random
