#include <fmt/format.h>

#include "host/config/command_line/arguments.hpp"
#include "sw/base/shell_word.hpp"

namespace weft::config {

std::string options_to_inspect(const Arguments& arguments) {
  std::string text = "--params " + shell_word(arguments.params);
  for (const Override& o : arguments.overrides) {
    if (o.key == "runconfig.mode" && !o.value.starts_with("train")) return "";
    const bool of_runs = o.key == "runconfig.mode" || o.key == "runconfig.num_csx" || o.key == "runconfig.num_steps" ||
                         o.key == "runconfig.max_steps" || o.key == "wafer.backend" ||
                         o.key.starts_with("runconfig.prompt");
    if (!of_runs) text += fmt::format(" --{} {}", o.key, shell_word(o.value));
  }
  return text;
}

}  // namespace weft::config
