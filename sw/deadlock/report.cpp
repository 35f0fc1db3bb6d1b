#include "sw/deadlock/report.hpp"

#include <algorithm>
#include <sstream>

namespace weft::deadlock {
namespace {

/// The nearest label at or before an address.
std::string label(const assembler::Program& program, std::uint16_t pc) {
  const std::pair<const std::string, std::uint16_t>* best = nullptr;
  for (const auto& entry : program.labels)
    if (entry.second <= pc && (!best || entry.second > best->second)) best = &entry;
  if (!best) return "";
  const int behind = pc - best->second;
  return best->first + (behind ? "+" + std::to_string(behind) : "") + ", ";
}

class Writer {
 public:
  Writer(const machine::HangSnapshot& s, const Programs& programs)
      : s_(s), programs_(programs), paths_(s), d_(diagnose(s)) {}
  std::string text();

 private:
  const machine::TileHang& at(int tile) const { return s_.tiles[static_cast<std::size_t>(tile)]; }
  std::string thread(ThreadRef t) const { return paths_.name(t.tile) + " " + (t.psum ? "psum" : "main"); }
  std::string thread_at(const Link& link) const {
    if (link.wait.lack == Lack::Command) return thread(link.who) + " at rest";
    return thread(link.who) + " at " + where(at(link.who.tile), link.wait.pc, programs_);
  }
  std::string root_cause() const;
  void draw(std::ostream& out) const;
  void tiles(std::ostream& out) const;
  void edge(std::ostream& out) const;

  const machine::HangSnapshot& s_;
  const Programs& programs_;
  const Paths paths_;
  const Diagnosis d_;
};

std::string Writer::root_cause() const {
  if (d_.chain.empty()) return "no thread waits for something that can still arrive: " + s_.why;
  const Link& last = d_.chain.back();
  std::string text = thread_at(last) + ": ";
  if (d_.fault == Fault::Cycle) {
    const std::size_t n = d_.chain.size();
    text = thread_at(d_.chain.front()) + ": " + d_.chain.front().text + "; " +
           (n == 1 ? "so it waits for itself" : std::to_string(n) + " threads wait in a cycle");
    return text;
  }
  text += last.text;
  if (d_.fault == Fault::NoRoute) {
    // Names the instruction that sends there.
    const machine::TileHang& t = at(last.whom.tile);
    if (t.lacks_route && !(last.who == last.whom)) text += "; psum there is at " + where(t, t.state.psum.pc, programs_);
  }
  if (d_.fault == Fault::Ended && rests(at(last.whom.tile)))
    text += " (the tile rests; the stream " +
            std::string(paths_.holds_w(last.whom.tile).host ? "has ended" : "brings no command") + ")";
  return text;
}

void Writer::draw(std::ostream& out) const {
  const bool ring = d_.fault == Fault::Cycle;
  out << (ring ? "wait-for cycle:\n" : "wait-for chain:\n");
  for (std::size_t i = 0; i < d_.chain.size(); ++i) {
    const Link& link = d_.chain[i];
    const bool first = i == 0, last = i + 1 == d_.chain.size();
    const char* bar = ring ? "│ " : "  ";
    out << "  " << (ring ? (first ? "┌►" : bar) : "  ") << thread_at(link) << "\n";
    out << "  " << bar << "  │ " << link.text << "\n";
    if (!last) out << "  " << bar << "  ▼\n";
    if (last && ring) out << "  └───┘\n";
    if (last && !ring) out << "  " << bar << "  ✗\n";
  }
}

/// Prints tiles of a row together if their lines differ only in the column.
void Writer::tiles(std::ostream& out) const {
  constexpr int kMost = 40;
  int lines = 0, hidden = 0;
  for (int row = 0; row < s_.shape.rows; ++row) {
    std::vector<std::string> texts;
    for (int col = 0; col < s_.shape.cols; ++col) {
      const int tile = row * s_.shape.cols + col;
      std::string text;
      for (const Link& link : d_.all) {
        if (link.who.tile != tile || link.wait.lack == Lack::Command) continue;
        std::string what = link.text;  // names of the same column are masked, so that columns compare equal
        const std::string own = "," + std::to_string(col) + ")";
        for (std::size_t at = what.find(own); at != std::string::npos; at = what.find(own, at + 2))
          what.replace(at, own.size(), ",=)");
        const std::string line = "    " + std::string(link.who.psum ? "psum" : "main") + " at " +
                                 where(at(tile), link.wait.pc, programs_) + "\n      " + what + "\n";
        if (text.find(line) == std::string::npos) text += line;
      }
      const machine::TileHang& t = at(tile);
      if (!text.empty() && !ended(t, false))
        text +=
            "    MP " + std::to_string(t.state.mp.entries.size()) + ", PM " + std::to_string(t.state.pm.entries.size());
      else if (!text.empty())
        text += "    main has halted; MP " + std::to_string(t.state.mp.entries.size()) + ", PM " +
                std::to_string(t.state.pm.entries.size());
      if (!text.empty()) {
        for (std::size_t c = 0; c < t.ramp.size(); ++c)
          if (t.ramp[c]) text += ", " + std::to_string(t.ramp[c]) + " on " + color_name(static_cast<int>(c));
        if (!t.out.empty()) text += ", " + std::to_string(t.out.size()) + " in the out queue";
        text += "\n";
      }
      texts.push_back(text);
    }
    for (int col = 0; col < s_.shape.cols;) {
      int end = col + 1;
      while (end < s_.shape.cols && texts[static_cast<std::size_t>(end)] == texts[static_cast<std::size_t>(col)]) ++end;
      if (const std::string& text = texts[static_cast<std::size_t>(col)]; !text.empty()) {
        if (++lines > kMost)
          hidden += end - col;
        else
          out << "  row " << row << ", column"
              << (end - col > 1 ? "s " + std::to_string(col) + "-" + std::to_string(end - 1)
                                : " " + std::to_string(col))
              << "\n"
              << text;
      }
      col = end;
    }
  }
  if (hidden) out << "  and " << hidden << " tiles more\n";
  if (!lines) out << "  all tiles rest\n";
}

std::string message(const machine::Message& m) {
  std::ostringstream text;
  const auto code = m.data >> 24;
  if (m.ctrl && code < std::size(isa::kCmdNames))
    text << isa::kCmdNames[code] << " " << (m.data >> 16 & 255) << " " << (m.data & 0xffff);
  else
    text << (m.ctrl ? "command " : "weight of ") << (m.ctrl ? code : m.data >> 16);
  return text.str();
}

void Writer::edge(std::ostream& out) const {
  for (std::size_t v = 0; v < s_.valves.size(); ++v) {
    const machine::ValveHang& valve = s_.valves[v];
    if (!valve.rest) continue;
    out << "  valve " << v << ": " << valve.taken << " messages taken, " << valve.rest << " wait";
    if (!valve.next.empty()) out << ", next " << message(valve.next.front());
    out << "\n";
  }
  for (std::size_t r = 0; r < s_.rows.size(); ++r) {
    const machine::RowHang& row = s_.rows[r];
    if (row.delivered < row.awaited)
      out << "  row " << r << "'s outlet: " << row.delivered << " of " << row.awaited << " words delivered\n";
    if (!row.front.empty()) out << "  row " << r << "'s intake: next " << message(row.front.front()) << "\n";
  }
  for (const LostCredit& l : d_.lost)
    out << "  the link from " << l.link << ", " << color_name(l.color) << ": " << l.lost << " of " << s_.depth
        << " credits lost\n";
  for (int tile = 0; tile < static_cast<int>(s_.tiles.size()); ++tile) {
    const unsigned flags = at(tile).state.flags;
    if (!flags) continue;
    out << "  " << paths_.name(tile) << " has the flags";
    for (unsigned f = 0; f < std::size(isa::kFlagNames); ++f)
      if (flags >> f & 1) out << " " << isa::kFlagNames[f];
    out << "\n";
  }
}

std::string Writer::text() {
  std::ostringstream out;
  out << "root cause: " << root_cause() << "\n";
  out << "the wafer hangs (" << s_.machine;
  if (s_.cycle) out << ", cycle " << s_.cycle;
  out << "): " << s_.why << "\n";
  if (s_.place.wafer >= 0)
    out << "wafer " << s_.place.wafer << ", step " << s_.place.step + 1 << ", micro-batch " << s_.place.micro_batch
        << ", the host was at " << s_.place.phase << "\n";
  if (!d_.chain.empty()) draw(out);
  out << "tiles that do not rest:\n";
  tiles(out);
  std::ostringstream at_edge;
  edge(at_edge);
  if (!at_edge.str().empty()) out << "edge, links and flags:\n" << at_edge.str();
  return out.str();
}

}  // namespace

const assembler::Program* Programs::of(const machine::TileHang& tile) const {
  if (programs_.size() == 1) return programs_.front();
  const std::vector<std::uint32_t>& loaded = tile.state.instructions;
  for (const assembler::Program* const program : programs_)
    if (program->words.size() <= loaded.size() &&
        std::equal(program->words.begin(), program->words.end(), loaded.begin()))
      return program;
  return nullptr;
}

std::string where(const machine::TileHang& tile, std::uint16_t pc, const Programs& programs) {
  const assembler::Program* const program = programs.of(tile);
  const std::uint32_t word = pc < tile.state.instructions.size() ? tile.state.instructions[pc] : 0;
  const std::string text = "`" + assembler::disassemble(word) + "`";
  if (!program || pc >= program->words.size() || program->words[pc] != word || pc >= program->lines.size())
    return "pc " + std::to_string(pc) + " " + text;
  const assembler::SourceLine line = program->lines[pc];
  return label(*program, pc) + program->files.at(line.file) + ":" + std::to_string(line.line) + " " + text;
}

std::string report(const machine::HangSnapshot& s, const Programs& programs) { return Writer(s, programs).text(); }

}  // namespace weft::deadlock
