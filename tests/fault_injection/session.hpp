/// Sessions of a faulty run: the program with faults, and without.
#pragma once

#include <vector>

#include "tests/fault_injection/fault.hpp"
#include "tests/fault_injection/report.hpp"

namespace weft::fault_injection {

/// Runs one session with these faults, the user's repairs and a clean restart. After a kill or an interruption the next
/// session may serve as that restart, unless this is the last one. Violations are added to `report`.
std::vector<Outcome> run_session(Scene& scene, const std::vector<const Kind*>& kinds, bool last, Report& report);

/// Runs some more steps without faults; the results must be those of an undisturbed run.
void finish_run(Scene& scene, Report& report);

}  // namespace weft::fault_injection
