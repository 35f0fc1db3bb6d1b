/// Prints the positions of threads and the code around them.
#include "host/inspect/debug/show.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "verif/trace/words.hpp"

namespace weft::inspect::debug {
namespace {

std::string thread_line(const Target& target, sim::TilePlace tile, bool psum) {
  const ThreadPlace thread = target.thread(tile, psum);
  const trace::InstructionNames names(target.names(tile).program);
  std::string text = thread.runs ? "at " + names.at(thread.pc) : "halted";
  if (thread.busy) text += fmt::format("; unit works on {}", names.at(thread.sequenced));
  if (!thread.why.empty()) text += "; " + thread.why;
  return fmt::format("  {} {}\n", psum ? "psum" : "main", text);
}

}  // namespace

std::string where(const Target& target, sim::TilePlace tile) {
  std::string text = fmt::format("{}, tile {},{}\n", target.now(), tile.row, tile.col);
  return text + thread_line(target, tile, false) + thread_line(target, tile, true);
}

std::string list(const Target& target, sim::TilePlace tile, bool psum) {
  const assembler::Program& program = target.names(tile).program;
  const ThreadPlace at_work = target.thread(tile, psum);
  const unsigned pc = !at_work.runs && at_work.busy ? at_work.sequenced : at_work.pc;
  const trace::InstructionNames names(program);
  std::string text;
  for (unsigned at = pc < 5 ? 0 : pc - 5; at < std::min<std::size_t>(pc + 6, program.words.size()); ++at)
    text += fmt::format("{} {:4} {}\n", at == pc ? "->" : "  ", at, names.at(at));
  return text;
}

}  // namespace weft::inspect::debug
