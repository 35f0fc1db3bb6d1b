#include "host/look/debug/shell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <ostream>
#include <sstream>

#include "host/look/debug/show.hpp"
#include "host/look/travel.hpp"
#include "isa.hpp"
#include "sw/base/refusal.hpp"
#include "verif/trace/tile_list.hpp"
#include "verif/trace/words.hpp"

namespace weft::debug {
namespace {

constexpr unsigned kDecode = 2;  // StDecode of rtl/pe/pe_scalar_pkg.sv

std::uint64_t number(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size())
    throw Refusal(text, "is no number", "write digits");
  return value;
}

/// A short name for a long one, as long as no other begins so.
std::string command_of(const std::string& word) {
  static const std::map<std::string, std::string> shorts = {{"b", "break"}, {"c", "continue"}, {"s", "step"},
                                                            {"p", "print"}, {"w", "where"},    {"l", "list"},
                                                            {"q", "quit"},  {"h", "help"},     {"i", "info"}};
  const auto known = shorts.find(word);
  return known == shorts.end() ? word : known->second;
}

}  // namespace

void print_commands(std::ostream& out) {
  out << "  continue (c)                 to the next stop, or to the end of the micro-batch\n"
         "  step (s) [N]                 until the thread is at its next instruction, N times\n"
         "  beat [N]                     until the thread issues a beat\n"
         "  cycle [N]                    N cycles\n"
         "  back [N]                     N cycles back; goto N: to cycle N, past all stops\n"
         "  break (b) WHERE [R,C]        gemm, gemm.s:12 or an instruction's number; of one tile or of any\n"
         "  break message COLOR [R,C]    one of this color goes into a PE or comes out of it\n"
         "  break write WHAT [R,C]       M[0x120:8], x[3], residual[0][2:6]: a write to it\n"
         "  break phase NAME             it begins\n"
         "  break flag                   a sticky flag is set\n"
         "  delete N                     that stop\n"
         "  tile R,C; thread main|psum   what the others are about\n"
         "  where (w) [all]              where the threads are\n"
         "  list (l)                     the instructions around\n"
         "  print (p) WHAT               r3, psum.r3, csr VL, R[8], M[0x120:8], x[3][0:8]; WHAT/x in hexadecimal\n"
         "  info (i) WHAT                registers, routes, credits, streams, handoffs, flags, symbols, breaks\n"
         "  quit (q)\n";
}

std::string Shell::prompt() const { return fmt::format("({},{} {}) ", tile_.row, tile_.col, psum_ ? "psum" : "main"); }

unsigned Shell::instruction(const std::string& text) const {
  const Program& program = target_.plan().program;
  if (const auto label = program.labels.find(text); label != program.labels.end()) return label->second;
  if (const std::size_t colon = text.find(':'); colon != std::string::npos && colon > 0) {
    const std::uint64_t line = number(text.substr(colon + 1));
    for (unsigned pc = 0; pc < program.lines.size(); ++pc) {
      const SourceLine& at = program.lines[pc];
      if (program.files[at.file].ends_with(text.substr(0, colon)) && static_cast<std::uint64_t>(at.line) == line)
        return pc;
    }
    throw Refusal(text, "has no instruction", "name a line with one; list shows lines");
  }
  if (text.find_first_not_of("0123456789") == std::string::npos && !text.empty()) {
    const std::uint64_t pc = number(text);
    if (pc < program.words.size()) return static_cast<unsigned>(pc);
  }
  throw Refusal(text, "is no label, line or address", "write gemm, gemm.s:12 or 73");
}

void Shell::add_stop(const std::vector<std::string>& words) {
  if (words.size() < 2) throw Refusal("break", "needs a place", "help lists the kinds");
  Stop stop;
  std::size_t used = 2;
  const auto operand = [&] {
    if (words.size() < 3) throw Refusal("break " + words[1], "needs one more word", "help lists the kinds");
    used = 3;
    return words[2];
  };
  if (words[1] == "message") {
    stop.kind = Stop::Kind::Message;
    const std::string color = operand();
    const auto colors = static_cast<unsigned>(target_.plan().wafer.colors);
    for (stop.color = 0; stop.color < colors && color_word(stop.color) != color && std::to_string(stop.color) != color;)
      ++stop.color;
    if (stop.color == colors) {
      std::string known;
      for (unsigned c = 0; c < colors; ++c) known += " " + color_word(c);
      throw Refusal(color, "is no color", "there are" + known);
    }
  } else if (words[1] == "phase") {
    stop.kind = Stop::Kind::Phase;
    stop.phase = target_.plan().ops[find_phase(target_.plan(), operand())].name;
  } else if (words[1] == "write") {
    stop.kind = Stop::Kind::Write;
    const Span span = find_span(target_, tile_, operand());
    stop.first = span.first;
    stop.last = span.first + span.count - 1;
  } else if (words[1] == "flag") {
    stop.kind = Stop::Kind::Flag;
  } else {
    stop.pc = instruction(words[1]);
  }
  if (words.size() > used + 1) throw Refusal(words[used + 1], "is one word too many", "help lists the kinds");
  if (words.size() > used) stop.tile = parse_tiles(words[used], target_.plan().wafer).at(0);
  for (std::size_t n = 1; n < words.size(); ++n) stop.text += (n > 1 ? " " : "") + words[n];
  const std::string text = stop.text;
  out_ << fmt::format("stop {}: {}\n", stops_.add(std::move(stop)), text);
}

template <class Done>
void Shell::go(Done done) {
  stops_.forget(target_);
  for (;;) {
    const std::size_t phase = target_.phase();
    if (!target_.tick()) {
      out_ << fmt::format("the micro-batch is over, after {} cycles\n", target_.cycle());
      return;
    }
    if (target_.phase() != phase) {
      for (std::size_t n = 0; n < stops_.all().size(); ++n) {
        const auto& stop = stops_.all()[n];
        if (!stop || stop->kind != Stop::Kind::Phase || stop->phase != target_.phase_name()) continue;
        out_ << fmt::format("stop {}: {} begins\n", n, target_.phase_name()) << where(target_, tile_);
        return;
      }
    }
    if (const auto hit = stops_.look(target_)) {
      tile_ = hit->tile;
      out_ << fmt::format("stop {}: tile {},{} {}\n", hit->stop, tile_.row, tile_.col, hit->what)
           << where(target_, tile_);
      return;
    }
    if (done()) {
      out_ << where(target_, tile_);
      return;
    }
  }
}

void Shell::step(std::uint64_t count) {
  go([&] {
    const ThreadView& v = psum_ ? target_.view(tile_).psum : target_.view(tile_).main;
    return v.state == kDecode && --count == 0;
  });
}

void Shell::beat(std::uint64_t count) {
  go([&] {
    const ThreadView& v = psum_ ? target_.view(tile_).psum : target_.view(tile_).main;
    return v.issues && --count == 0;
  });
}

void Shell::execute(const std::vector<std::string>& words, const std::string& rest) {
  const std::string command = command_of(words[0]);
  const bool counts = command == "step" || command == "beat" || command == "cycle" || command == "back";
  const std::uint64_t count = counts && words.size() > 1 ? number(words[1]) : 1;
  const bool alone = command == "continue" || command == "list" || command == "help" || command == "quit";
  const std::size_t most = alone ? 1 : counts || command == "goto" || command == "delete" ? 2 : words.size();
  if (words.size() > most) throw Refusal(words[most], "is one word too many", "help lists the commands");
  if (count == 0) throw Refusal("0", "is nothing to do", "write a number from 1 on");
  if (command == "where" && !rest.empty() && rest != "all")
    throw Refusal(rest, "is not known here", "where, or where all");
  if (command == "continue") return go([] { return false; });
  if (command == "step") return step(count);
  if (command == "beat") return beat(count);
  if (command == "cycle") return go([left = count]() mutable { return --left == 0; });
  if (command == "back" || command == "goto") {
    const std::uint64_t now = target_.cycle();
    const std::uint64_t to = command == "back" ? now - std::min(now, count) : number(words.size() > 1 ? words[1] : "");
    if (to <= now) target_.rewind(to);
    while (target_.cycle() < to)  // stops do not count
      if (!target_.tick()) break;
    out_ << where(target_, tile_);
    return;
  }
  if (command == "break") return add_stop(words);
  if (command == "delete") {
    if (!stops_.remove(number(words.size() > 1 ? words[1] : "")))
      throw Refusal("delete " + rest, "there is no such stop", "info breaks lists them");
    return;
  }
  if (command == "tile") {
    tile_ = parse_tiles(rest, target_.plan().wafer).at(0);
    return;
  }
  if (command == "thread") {
    if (rest != "main" && rest != "psum") throw Refusal("thread " + rest, "is not there", "main or psum");
    psum_ = rest == "psum";
    return;
  }
  if (command == "where") {
    if (rest != "all") {
      out_ << where(target_, tile_);
      return;
    }
    for (int r = 0; r < target_.plan().wafer.rows; ++r)
      for (int c = 0; c < target_.plan().wafer.cols; ++c) out_ << where(target_, {r, c});
    return;
  }
  if (command == "list") {
    out_ << list(target_, tile_, psum_);
    return;
  }
  if (command == "print") {
    out_ << print(target_, tile_, rest) << '\n';
    return;
  }
  if (command == "info" && rest == "breaks") {
    for (std::size_t n = 0; n < stops_.all().size(); ++n)
      if (stops_.all()[n]) out_ << fmt::format("{}: {}\n", n, stops_.all()[n]->text);
    return;
  }
  if (command == "info") {
    out_ << info(target_, tile_, rest);
    return;
  }
  if (command == "help") return print_commands(out_);
  if (command == "quit") {
    quit_ = true;
    return;
  }
  throw Refusal(words[0], "is no command", "help lists them");
}

bool Shell::run(const std::string& line) {
  std::istringstream in(line.substr(0, line.find('#')));
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  if (words.empty()) return true;
  std::string rest;
  for (std::size_t n = 1; n < words.size(); ++n) rest += (n > 1 ? " " : "") + words[n];
  try {
    execute(words, rest);
  } catch (const Refusal& e) {
    out_ << e.what() << '\n';
    failed_ = true;
  } catch (const WaferStuck& e) {
    out_ << e.what() << '\n';
    failed_ = true;
  }
  return !quit_;
}

}  // namespace weft::debug
