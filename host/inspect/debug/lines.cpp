#include "host/inspect/debug/lines.hpp"

#include <cstdlib>
#include <istream>
#include <memory>
#include <ostream>

#ifdef WEFT_EDITLINE
#include <editline/readline.h>
#endif

#include "sw/base/named_text.hpp"
#include "sw/base/refusal.hpp"

namespace weft::inspect::debug {
namespace {

/// Reads the next line. Returns false at the end of the input.
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

Lines::Lines(const config::Options& options, std::istream& in, bool terminal)
    : scripted_(options.contains("script")), terminal_(terminal && !scripted_), typed_(in) {
  constexpr std::size_t kMost = 1 << 20;
  if (!scripted_) return;
  try {
    script_.str(whole_text(options.at("script"), kMost, "name a file of commands"));
  } catch (const Refusal& refusal) {
    throw refusal.within("--script");
  }
}

int Lines::to(Shell& shell, std::ostream& out) {
  for (std::string line; read(scripted_ ? script_ : typed_, terminal_, shell.prompt(), line, out);) {
    if (scripted_) out << shell.prompt() << one_line(line) << '\n';
    if (!shell.run(line)) break;
    out << std::flush;
  }
  return scripted_ && shell.failed() ? 1 : 0;
}

}  // namespace weft::inspect::debug
