/// The program `weft-words`: converts hexadecimal values, a line each, to text. Used as GTKWave's process filter, or in
/// a terminal.
#include <cstdio>
#include <exception>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "sw/base/named_text.hpp"
#include "sw/base/refusal.hpp"
#include "verif/trace/filter.hpp"

namespace {

constexpr const char* kHelp =
    "weft-words KIND [NAMES] [--plain]   values in hexadecimal, a line each, to words\n\n"
    "  KIND   message  38 bits {ctrl, color, data} of a link\n"
    "         bf16     lanes of bf16, the first one lowest\n"
    "         fp32     lanes of fp32\n"
    "         pc       an instruction's address\n"
    "         flags    sticky flags\n"
    "  NAMES  the .words file next to a trace: kernels, instructions, rows\n"
    "  --plain  without GTKWave's ?Color? in front of messages\n";

constexpr std::size_t kMost = 16 << 20;  // bytes of NAMES

int filter(const std::vector<std::string>& words) {
  std::string names_file;
  bool paint = true;
  const weft::trace::WordsMode mode = weft::trace::words_mode(words.at(0));
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i] == "--plain")
      paint = false;
    else
      names_file = words[i];
  }
  weft::trace::TraceNames names;
  if (!names_file.empty()) {
    // Continue without names after an error: a viewer waits forever for a filter that has exited.
    try {
      std::istringstream text(weft::whole_text(names_file, kMost, "name the .words file next to the trace"));
      names = weft::trace::read_names(text);
    } catch (const weft::Refusal& refusal) {
      std::cerr << "weft-words: " << refusal.what() << '\n';
    }
  }
  // Flush every answer: the viewer waits for it.
  for (std::string line; std::getline(std::cin, line);) {
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    std::cout << weft::one_line(weft::trace::words_of(mode, line, names, paint)) << std::endl;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  // GTKWave passes everything after the program's name as one argument.
  if (words.size() == 1)
    if (const std::size_t blank = words[0].find(' '); blank != std::string::npos)
      words = {words[0].substr(0, blank), words[0].substr(blank + 1)};
  if (words.empty() || words[0] == "--help" || words[0] == "-h") {
    std::cout << kHelp;
    return words.empty() ? 2 : 0;
  }
  try {
    return filter(words);
  } catch (const std::exception& e) {
    std::cerr << "weft-words: " << weft::one_line(e.what()) << '\n';
    return 2;
  }
}
