/// One abused run: from its seed alone, a scene, sessions of the program with abuses, and a clean end.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/abuse/abuse.hpp"

namespace weft::abuse {

/// What came of one abuse.
struct Outcome {
  enum State { Injected, TooLate, Skipped };
  const Kind* kind = nullptr;
  State state = TooLate;
  int code = 0;        ///< with which the session ended
  bool equal = false;  ///< the bits were those of the undisturbed run, then or after a clean restart
};

/// Something that must not be.
struct Violation {
  std::string kinds, text;
  std::uint64_t seed = 0;
};

struct Report {
  std::vector<Outcome> outcomes;
  std::vector<Violation> violations;
};

/// Consecutive seeds begin with different kinds of abuse, and so with all of them. `loud`: tells what happens.
Report abused_run(std::uint64_t seed, bool loud);

/// One of the kinds that need a peer.
Report peer_run(std::uint64_t seed, const Kind& kind, bool loud);

}  // namespace weft::abuse
