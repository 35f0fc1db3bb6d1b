/// Results of runs under fault injection.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/fault_injection/fault.hpp"

namespace weft::fault_injection {

/// Outcome of one fault.
struct Outcome {
  enum State { Injected, TooLate, Skipped };
  const Kind* kind = nullptr;
  State state = TooLate;
  int code = 0;        ///< exit code of the session
  bool equal = false;  ///< the bits match the undisturbed run's, at once or after a clean restart
};

/// A violation of the expected behavior.
struct Violation {
  std::string kinds, text;
  std::uint64_t seed = 0;
};

struct Report {
  std::vector<Outcome> outcomes;
  std::vector<Violation> violations;
};

}  // namespace weft::fault_injection
