#include "host/inspect/debug/breakpoint_parser.hpp"

#include "host/inspect/debug/digits.hpp"
#include "host/inspect/debug/show.hpp"
#include "sw/base/refusal.hpp"
#include "verif/trace/tile_list.hpp"
#include "verif/trace/words.hpp"

namespace weft::inspect::debug {
namespace {

/// Index of the instruction at a label, at a line such as `gemm.s:13`, or at an address.
unsigned instruction(const assembler::Program& program, const std::string& text) {
  if (const auto label = program.labels.find(text); label != program.labels.end()) return label->second;
  if (const std::size_t colon = text.find(':'); colon != std::string::npos && colon > 0) {
    const auto line = digits<std::uint64_t>(text.substr(colon + 1));
    if (!line) throw Refusal(text, "names no line", "write gemm.s:13");
    for (unsigned pc = 0; pc < program.lines.size(); ++pc) {
      const assembler::SourceLine& at = program.lines[pc];
      if (program.files[at.file].ends_with(text.substr(0, colon)) && static_cast<std::uint64_t>(at.line) == *line)
        return pc;
    }
    throw Refusal(text, "has no instruction", "name a line with one; list shows lines");
  }
  if (text.find_first_not_of("0123456789") == std::string::npos && !text.empty()) {
    const auto pc = digits(text);
    if (pc && *pc < program.words.size()) return *pc;
  }
  throw Refusal(text, "is not a label, line or address", "write gemm, gemm.s:13 or 73");
}

unsigned color_number(const Names& names, const std::string& text) {
  if (names.own != nullptr)
    for (const auto& [name, color] : names.own->streams)
      if (name == text) return color;
  std::string known;
  for (unsigned c = 0; c < static_cast<unsigned>(names.wafer.colors); ++c) {
    if (trace::color_word(c) == text || trace::message_kind(c) == text || std::to_string(c) == text) return c;
    known += (c ? ", " : " ") + color_name(names, c);
  }
  throw Refusal(text, "is not a color", "there are" + known);
}

}  // namespace

Breakpoint read_stop(const LiveTarget& target, sim::TilePlace tile, const std::vector<std::string>& words) {
  if (words.size() < 2) throw Refusal("break", "needs a place", "help lists the kinds");
  Breakpoint stop;
  std::size_t used = 2;
  const auto operand = [&] {
    if (words.size() < 3) throw Refusal("break " + words[1], "needs one more word", "help lists the kinds");
    used = 3;
    return words[2];
  };
  if (words[1] == "message") {
    stop.kind = Breakpoint::Kind::Message;
    stop.color = color_number(target.names(tile), operand());
  } else if (words[1] == "phase") {
    stop.kind = Breakpoint::Kind::Phase;
    stop.phase = target.workload().name(target.workload().find(operand()));
  } else if (words[1] == "write") {
    stop.kind = Breakpoint::Kind::Write;
    const Span span = find_span(target, tile, operand());
    stop.first = span.first;
    stop.last = span.first + span.count - 1;
  } else if (words[1] == "flag") {
    stop.kind = Breakpoint::Kind::Flag;
  } else {
    // A label is one of the program of the named tile.
    const bool named = words.size() > 2 && words[2] != "all";
    stop.program = &target.names(named ? trace::one_tile(words[2], target.shape()) : tile).program;
    stop.pc = instruction(*stop.program, words[1]);
  }
  if (words.size() > used + 1) throw Refusal(words[used + 1], "is unexpected", "help lists the kinds");
  if (words.size() > used && words[used] != "all") stop.tile = trace::one_tile(words[used], target.shape());
  for (std::size_t n = 1; n < words.size(); ++n)
    stop.text += (n > 1 ? " " : "") + (n == 2 && stop.kind == Breakpoint::Kind::Phase ? stop.phase : words[n]);
  return stop;
}

}  // namespace weft::inspect::debug
