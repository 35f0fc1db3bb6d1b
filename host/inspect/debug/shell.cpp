#include "host/inspect/debug/shell.hpp"

#include <fmt/format.h>

#include <map>
#include <ostream>
#include <sstream>
#include <stdexcept>

#include "host/inspect/debug/show.hpp"
#include "sw/base/quoted_lines.hpp"
#include "sw/base/refusal.hpp"
#include "verif/trace/tile_list.hpp"

namespace weft::inspect::debug {
namespace {

/// Expands an abbreviated command name.
std::string command_of(const std::string& word) {
  static const std::map<std::string, std::string> shorts = {{"b", "break"}, {"c", "continue"}, {"s", "step"},
                                                            {"p", "print"}, {"w", "where"},    {"l", "list"},
                                                            {"q", "quit"},  {"h", "help"},     {"i", "info"}};
  const auto known = shorts.find(word);
  return known == shorts.end() ? word : known->second;
}

/// Maximum number of words of a command line.
std::size_t most_words(const std::string& command) {
  for (const char* alone : {"continue", "list", "help", "quit", "report"})
    if (command == alone) return 1;
  for (const char* counts : {"step", "beat", "cycle", "move", "back", "goto", "delete"})
    if (command == counts) return 2;
  return ~std::size_t{0};
}

}  // namespace

std::string Shell::prompt() const { return fmt::format("({},{} {}) ", tile_.row, tile_.col, psum_ ? "psum" : "main"); }

bool Shell::inspect(const std::string& command, const std::string& rest) {
  if (command == "where" && rest == "all") {
    for (int r = 0; r < target_.names({}).wafer.rows; ++r)
      for (int c = 0; c < target_.names({}).wafer.cols; ++c) out_ << where(target_, {r, c});
  } else if (command == "where") {
    if (!rest.empty()) throw Refusal(rest, "is not known here", "where, or where all");
    out_ << where(target_, tile_);
  } else if (command == "list") {
    out_ << list(target_, tile_, psum_);
  } else if (command == "print") {
    out_ << print(target_, tile_, rest) << '\n';
  } else if (command == "info" && rest == "breaks") {
    for (std::size_t n = 0; n < breakpoints_.all().size(); ++n)
      if (breakpoints_.all()[n]) out_ << fmt::format("{}: {}\n", n, one_line(breakpoints_.all()[n]->text));
  } else if (command == "info") {
    out_ << info(target_, tile_, rest);
  } else if (command == "report") {
    out_ << target_.report();
  } else {
    return false;
  }
  return true;
}

bool Shell::choose(const std::string& command, const std::string& rest) {
  if (command == "tile") {
    tile_ = trace::one_tile(rest, target_.names({}).wafer);
  } else if (command == "thread") {
    if (rest != "main" && rest != "psum") throw Refusal("thread " + rest, "does not exist", "main or psum");
    psum_ = rest == "psum";
  } else if (command == "help") {
    print_commands(out_);
  } else if (command == "quit") {
    quit_ = true;
  } else {
    return false;
  }
  return true;
}

void Shell::execute(const Words& words, const std::string& rest) {
  const std::string command = command_of(words[0]);
  const std::size_t most = most_words(command);
  if (words.size() > most) throw Refusal(words[most], "is unexpected", "help lists the commands");
  if (inspect(command, rest) || choose(command, rest) || travel(command, words) || stop(command, words)) return;
  throw Refusal(words[0], "is not a command", "help lists the commands");
}

void Shell::print_error(const std::string& what) {
  out_ << quoted_lines(what) << (what.ends_with('\n') ? "" : "\n");
  failed_ = true;
}

bool Shell::run(const std::string& line) {
  std::istringstream in(line.substr(0, line.find('#')));
  Words words;
  for (std::string word; in >> word;) words.push_back(word);
  if (words.empty()) return true;
  std::string rest;
  for (std::size_t n = 1; n < words.size(); ++n) rest += (n > 1 ? " " : "") + words[n];
  try {
    execute(words, rest);
  } catch (const WaferHang& e) {
    print_error(e.hang_snapshot ? target_.report() : e.what());
  } catch (const Refusal& e) {
    print_error(e.what());
  } catch (const std::runtime_error& e) {  // a program that the model rejects
    print_error(e.what());
  }
  return !quit_;
}

}  // namespace weft::inspect::debug
