#include "host/look/debug/command.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <istream>
#include <memory>
#include <ostream>

#ifdef WEFT_EDITLINE
#include <editline/readline.h>
#endif

#include "host/appliance/compile_plan.hpp"
#include "host/appliance/modes/backend.hpp"
#include "host/appliance/train/masks.hpp"
#include "host/look/debug/shell.hpp"
#include "host/look/step_start.hpp"
#include "host/look/travel.hpp"

namespace weft {
namespace {

/// The next line; false: there is none.
bool read(std::istream& in, [[maybe_unused]] bool terminal, const std::string& prompt, std::string& line,
          std::ostream& out) {
#ifdef WEFT_EDITLINE
  if (terminal) {
    const std::unique_ptr<char, void (*)(void*)> text(readline(prompt.c_str()), std::free);
    if (!text) return false;
    line = text.get();
    if (!line.empty()) add_history(text.get());
    return true;
  }
#endif
  if (terminal) out << prompt << std::flush;
  return static_cast<bool>(std::getline(in, line));
}

}  // namespace

int debug_live(const Config& config, const Options& options, std::istream& in, bool terminal, std::ostream& out) {
  const std::string name = option(options, "phase", "");
  if (name.empty()) throw Refusal("--phase", "missing", "name a phase, or a core dump: weft debug FILE.weftcore");
  if (name == "list") {
    list_phases(config, out);
    return 0;
  }
  find_phase(compile_plan(config, make_mask(config)), name);
  std::ifstream script;
  const bool scripted = options.contains("script");
  if (scripted) {
    script.open(options.at("script"));
    if (!script || std::filesystem::is_directory(options.at("script")))
      throw Refusal("--script", options.at("script") + " cannot be read", "name a file of commands");
  }
  StepStart start(config, number(options, "step", 1), out);
  const std::vector<Message> tokens = start.tokens(number(options, "wafer", 0));
  debug::Target target(start.plan(), start.parameters(), tokens, find_phase(start.plan(), name),
                       model_threads(start.config()));
  debug::Shell shell(target, out);
  out << fmt::format("before {}; help lists the commands\n", name);
  std::istream& lines = scripted ? script : in;
  for (std::string line; read(lines, terminal && !scripted, shell.prompt(), line, out);) {
    if (scripted) out << shell.prompt() << line << '\n';
    if (!shell.run(line)) break;
    out << std::flush;
  }
  return scripted && shell.failed() ? 1 : 0;
}

}  // namespace weft
