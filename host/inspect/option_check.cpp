#include "host/inspect/option_check.hpp"

#include <fmt/format.h>

namespace weft::inspect {

void check_options(const std::string& command, const config::Config& config) {
  const std::string& mode = config.runconfig.mode;
  if (mode != "train" && mode != "train_and_eval")
    throw config.error("runconfig.mode",
                       fmt::format("{} has no training steps, but weft {} inspects one", mode, command),
                       "use --mode train, or leave it out");
  const auto typed = [&](const char* key) {
    const auto place = config.places.find(key);
    return place != config.places.end() && place->second.line == 0;
  };
  for (const char* key : {"runconfig.prompt", "runconfig.prompt_tokens", "runconfig.prompts_file", "runconfig.stop"})
    if (typed(key))
      throw config.error(key, fmt::format("does not apply to weft {}, which inspects a training step", command),
                         "leave it out");
  if (command == "profile" && typed("wafer.check"))
    throw config.error("wafer.check", "does not apply to weft profile, which measures one wafer", "leave it out");
  if (!typed("wafer.backend")) return;
  if (command == "waves" && config.backend != "rtl")
    throw config.error("wafer.backend", "weft waves shows the RTL, and nothing else",
                       "leave it out; weft debug --backend model inspects the model");
  if (command == "profile" && !config.kind_of(0).clock)
    throw config.error("wafer.backend", "the model has no cycles", "leave it out, or write rtl or fpga");
}

}  // namespace weft::inspect
