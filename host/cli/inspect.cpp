#include <unistd.h>

#include <iostream>

#include "host/backends/backend.hpp"
#include "host/cli/commands.hpp"
#include "host/cli/environment.hpp"
#include "host/config/file/load.hpp"
#include "host/config/keys/key_names.hpp"
#include "host/inspect/check/check.hpp"
#include "host/planning/choose_shape.hpp"
#include "host/planning/compile_plan.hpp"
#include "host/system/progress.hpp"
#include "host/system/signals.hpp"
#include "host/train/recorded_shape.hpp"
#ifdef WEFT_INSPECT
#include "host/inspect/bisect/command.hpp"
#include "host/inspect/debug/command.hpp"
#include "host/inspect/option_check.hpp"
#include "host/inspect/profile/command.hpp"
#include "host/inspect/waves.hpp"
#endif

namespace weft::cli {
namespace {

/// Resolves the settings that are auto, as a run in the folder does. The wafer becomes one group of its rows.
void choose_shape(config::Config& config) {
  planning::check_fit(config);
  (void)train::take_recorded_shape(config);
  (void)planning::choose_shape(config);
  config = config.one_group();
}

#ifdef WEFT_INSPECT

int inspect(const config::Arguments& arguments, config::Config& config) {
  inspect::check_options(arguments.command, config);
  if (arguments.command == "profile" && config.kind_of(0).board) {
    config.runconfig.num_csx = 1;  // only the measured board
    backends::meet_boards(config, std::cout);
  }
  choose_shape(config);
  system::Progress bar(std::cerr, true);
  system::Progress* const progress = shows_progress() ? &bar : nullptr;
  if (arguments.command == "fingerprint")
    return inspect::bisect::fingerprint_command(config, arguments.options, std::cout, progress);
  if (arguments.command == "debug")
    return inspect::debug_live(config, arguments.options, std::cin, ::isatty(STDIN_FILENO) != 0, std::cout, progress);
  if (arguments.command == "profile")
    return inspect::profile_command(config, arguments.options, shows_colors(), std::cout, progress);
  return inspect::waves(config, arguments.options, std::cout, progress);
}
#endif

}  // namespace

#ifdef WEFT_INSPECT
int inspect_command(const config::Arguments& arguments, const std::vector<std::string>&) {
  if (arguments.command == "bisect") {
    system::Progress progress(std::cerr, true);
    return inspect::bisect::bisect_command(arguments, program_sibling("weft"), std::cout,
                                           shows_progress() ? &progress : nullptr);
  }
  config::Config config = config::load_config(arguments.params, arguments.overrides);
  try {
    return inspect(arguments, config);
  } catch (const Refusal& refusal) {
    throw config::placed(config, refusal);
  }
}
#else
int inspect_command(const config::Arguments&, const std::vector<std::string>& words) {
  const std::string other = program_sibling("weft-inspect");
  std::vector<char*> argv = {const_cast<char*>(other.c_str())};
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  system::release_signals();  // blocked signals would stay blocked in the new program
  ::execv(other.c_str(), argv.data());
  throw Refusal(other, "cannot be started", "make inspect builds it");
}
#endif

int check_command(const config::Arguments& arguments) {
  config::Config config = config::load_config(arguments.params, arguments.overrides);
  try {
    choose_shape(config);
    system::Progress progress(std::cerr, true);
    return inspect::check_command(config, arguments.options, std::cout, shows_progress() ? &progress : nullptr);
  } catch (const Refusal& refusal) {
    throw config::placed(config, refusal);
  }
}

}  // namespace weft::cli
