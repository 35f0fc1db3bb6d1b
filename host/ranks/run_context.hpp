/// State that a run shares among the parts of the program that carry it out, and that is not configuration.
#pragma once

#include <memory>

#include "host/planning/saved_plan.hpp"
#include "host/system/progress.hpp"

namespace weft::ranks {

struct Joining;

struct RunContext {
  std::shared_ptr<const planning::LoadedPlan> plan = {};  ///< --plan (host/planning/saved_plan.hpp); null: compile
  std::shared_ptr<const Joining> joining = {};  ///< connection to the other ranks; null: this process is the whole run
  std::shared_ptr<system::Progress> progress = {};  ///< progress of steps and evaluations; null: not shown
  bool allow_other_bits = false;  ///< a run may continue as another run with settings that change its bits
};

}  // namespace weft::ranks
