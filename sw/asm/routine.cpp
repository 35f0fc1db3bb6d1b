#include "sw/asm/routine.hpp"

#include <algorithm>
#include <set>

#include "sw/asm/words.hpp"

namespace weft::assembler {
Routine read_routine(std::string_view directive, Cursor& at) {
  const std::string usage = "'" + std::string(directive) + " NAME x=r1 y=r2'";
  Routine routine{at.word(), {}};
  require_name(routine.name);
  std::set<std::string_view> names;
  std::set<int> registers;
  while (!at.done()) {
    const std::string_view name = at.word();
    at.expect('=', usage);
    const Cursor before = at;
    const int reg = plain_register(at.word());
    if (reg < 0) throw Complaint{"expected a register " + before.here(), "use r1 to r15"};
    if (!names.insert(name).second) throw Complaint{in_quotes(name) + " is given twice", "choose another name"};
    if (directive == ".kernel" && reg == 0) throw Complaint{"r0 cannot be an argument: it reads 0", "use r1 to r15"};
    if (directive == ".kernel" && !registers.insert(reg).second)
      throw Complaint{"r" + std::to_string(reg) + " has two names", "give each argument a register of its own"};
    routine.parameters.push_back({std::string(name), reg});
  }
  return routine;
}

std::string plain_comment(std::string_view lines) {
  std::string text;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    std::string_view line = trimmed(lines.substr(0, end));
    lines.remove_prefix(std::min(end + 1, lines.size()));
    line.remove_prefix(std::min(line.find_first_not_of(line.starts_with(';') ? ";" : "/"), line.size()));
    text += (text.empty() ? "" : "\n") + std::string(trimmed(line));
  }
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace weft::assembler
