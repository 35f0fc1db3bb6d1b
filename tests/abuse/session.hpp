/// Sessions of an abused run: the program with abuses, and without.
#pragma once

#include "tests/abuse/abused_run.hpp"

namespace weft::abuse {

/// One session with these abuses, and what follows: what a user mends, and a clean restart. After a kill or an
/// interruption the next session may be that restart, but not if this is the last one. What is wrong goes to
/// `report`.
std::vector<Outcome> run_session(Scene& scene, const std::vector<const Kind*>& kinds, bool last, Report& report);

/// Some more steps without abuses: the run is as if there never had been any.
void finish_run(Scene& scene, Report& report);

}  // namespace weft::abuse
