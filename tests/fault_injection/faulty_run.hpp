/// One run under fault injection: its seed determines a scene, sessions of the program with faults, and a clean end.
#pragma once

#include <cstdint>

#include "tests/fault_injection/fault.hpp"
#include "tests/fault_injection/report.hpp"

namespace weft::fault_injection {

/// One run; consecutive seeds begin with different kinds of fault and thereby cover all. `loud`: logs every action.
Report faulty_run(std::uint64_t seed, bool loud);

/// One run of a kind that needs a peer process.
Report peer_run(std::uint64_t seed, const Kind& kind, bool loud);

}  // namespace weft::fault_injection
