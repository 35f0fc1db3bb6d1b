/// One run under fault injection: its seed determines a scene, sessions of the program with abuses, and a clean end.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/fault_injection/fault.hpp"

namespace weft::abuse {

/// Outcome of one abuse.
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

/// One run; consecutive seeds begin with different kinds of abuse and thereby cover all. `loud`: logs every action.
Report abused_run(std::uint64_t seed, bool loud);

/// One run of a kind that needs a peer process.
Report peer_run(std::uint64_t seed, const Kind& kind, bool loud);

}  // namespace weft::abuse
