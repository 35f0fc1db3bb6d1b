#include "host/inspect/bisect/finding.hpp"

#include <fmt/format.h>

#include <ostream>

#include "sw/base/quoted_lines.hpp"

namespace weft::inspect::bisect {
namespace {

std::string what(Kind kind) {
  constexpr const char* kWhat[] = {"nothing",
                                   "the initial state",
                                   "a message into the wafer",
                                   "the behavior of a tile",
                                   "a returned word, while all memories are the same",
                                   "the weights after the step: the same gradients were applied differently",
                                   "one run continues where the other stops",
                                   "the state after the step; phases cannot be compared"};
  return kWhat[static_cast<std::size_t>(kind)];
}

/// Shortens a text to its first four lines: the report on a hang lists every tile.
std::string few_lines(const std::string& text) {
  std::size_t end = 0;
  for (int lines = 0; lines < 4 && end != std::string::npos; ++lines) end = text.find('\n', end + 1);
  return end == std::string::npos ? text : text.substr(0, end) + "\n...";
}

}  // namespace

void print(const Finding& f, std::ostream& out) {
  if (f.kind == Kind::Nothing) {
    out << "same    no difference was found\n";
    return;
  }
  const auto line = [&](const std::string& name, const std::string& text) {
    if (!text.empty()) out << fmt::format("{:<8}{}\n", name, quoted_lines(text));  // from a program of any commit
  };
  line("differs", what(f.kind));
  line("step", fmt::format("{}", f.step));
  if (!f.phase.empty()) line("batch", fmt::format("{}", f.micro_batch));
  line("phase", f.phase);
  if (f.row >= 0) line("tile", fmt::format("{},{}", f.row, f.col));
  line("place", f.place);
  line("a", few_lines(f.a));
  line("  by", f.by_a);
  line("b", few_lines(f.b));
  line("  by", f.by_b);
  for (const std::string& note : f.notes) line("note", note);
}

}  // namespace weft::inspect::bisect
