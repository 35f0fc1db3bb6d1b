/// weft-asm: assembles a file to a hex listing, or with -d turns such a listing back into text.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>

#include "sw/asm/assembler.hpp"

namespace {

constexpr const char* kHelp =
    "usage: weft-asm [-d] [-D NAME=VALUE]... FILE\n"
    "Assembles FILE and prints one line per instruction: its word in hex, then its address and text as a comment.\n"
    "  -d             disassemble: FILE has one hex word per line (such a listing will do)\n"
    "  -D NAME=VALUE  define a constant, as .equ does\n"
    "FILE may be - for the standard input. The syntax is in sw/asm/README.md, the instructions in docs/isa.md.\n";

std::string read_all(const std::string& path) {
  std::ostringstream text;
  if (path == "-") {
    text << std::cin.rdbuf();
  } else {
    std::ifstream file(path);
    if (!file) throw weft::Refusal(path, "cannot be read", "check the path");
    text << file.rdbuf();
  }
  return text.str();
}

void print_listing(const weft::Program& program) {
  std::multimap<std::uint16_t, std::string> names;
  for (const auto& [name, address] : program.labels) names.emplace(address, name);
  for (std::size_t address = 0; address < program.words.size(); ++address) {
    const auto [first, last] = names.equal_range(static_cast<std::uint16_t>(address));
    for (auto it = first; it != last; ++it) std::printf("; %s:\n", it->second.c_str());
    const std::uint32_t word = program.words[address];
    std::printf("%08x  ; %4zu  %s\n", word, address, weft::disassemble(word).c_str());
  }
}

void print_text(const std::string& listing, const std::string& path) {
  std::istringstream lines(listing);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    line.resize(std::min(line.find(';'), line.size()));
    while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back()))) line.pop_back();
    if (line.empty()) continue;
    std::size_t used = 0;
    unsigned long word = 0;
    try {
      word = std::stoul(line, &used, 16);
    } catch (const std::exception&) {
    }
    if (used == 0 || used != line.size() || word > 0xffffffff)
      throw weft::AssemblyError(path, number, "'" + line + "' is not a word", "write 8 hex digits per line");
    std::printf("%s\n", weft::disassemble(static_cast<std::uint32_t>(word)).c_str());
  }
}

void define(weft::Constants& constants, const std::string& pair) {
  const std::size_t equals = std::min(pair.find('='), pair.size());
  try {
    constants[pair.substr(0, equals)] = std::stoi(pair.substr(std::min(equals + 1, pair.size())), nullptr, 0);
  } catch (const std::exception&) {
    throw weft::Refusal("-D " + pair, "no integer after '='", "write -D NAME=12");
  }
}

int run(int argc, char** argv) {
  bool backwards = false;
  weft::Constants constants;
  std::string path;
  for (int n = 1; n < argc; ++n) {
    const std::string arg = argv[n];
    if (arg == "-h" || arg == "--help") return std::fputs(kHelp, stdout), 0;
    if (arg == "-d") {
      backwards = true;
    } else if (arg == "-D" && n + 1 < argc) {
      define(constants, argv[++n]);
    } else if (!path.empty() || (arg.size() > 1 && arg.front() == '-')) {
      return std::fputs(kHelp, stderr), 2;
    } else {
      path = arg;
    }
  }
  if (path.empty()) return std::fputs(kHelp, stderr), 2;
  const std::string text = read_all(path);
  if (backwards) {
    print_text(text, path);
  } else {
    print_listing(weft::assemble(text, path, constants));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
