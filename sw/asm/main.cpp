/// weft-asm: assembles files to a hex listing, with -k to a table of their kernels, or turns a listing back into text.
#include <cerrno>
#include <cstdio>
#include <limits>
#include <sstream>

#include "sw/asm/assembler.hpp"
#include "sw/asm/symbols.hpp"
#include "sw/base/named_text.hpp"
#include "sw/base/quoted_lines.hpp"

namespace {

constexpr const char* kHelp =
    "usage: weft-asm [-k | -d] [-D NAME=VALUE]... FILE...\n"
    "Assembles one program of all FILEs and prints its kernels with their arguments, then one line per instruction: "
    "its\n"
    "word in hex, and its address and text as a comment.\n"
    "  -k             only a table of the kernels, in Markdown; needs no constants\n"
    "  -d             disassemble: FILE has one hex word per line (such a listing will do)\n"
    "  -D NAME=VALUE  define a constant, as .equ does\n"
    "FILE may be - for the standard input. The syntax is in sw/asm/README.md, the instructions in "
    "docs/reference/isa.md.\n"
    "Example: weft-asm -k sw/kernels/*.s sw/kernels/*/one_*.s\n";

constexpr std::size_t kMost = 16 << 20;  // bytes of a file; a program of all kernels has 0.1 MiB

std::string read_all(const std::string& path) { return weft::whole_text(path, kMost, "name a file of assembly"); }

/// "x=r1 y=r2"
std::string parameters(const weft::assembler::Kernel& kernel) {
  std::string text;
  for (const weft::assembler::Parameter& p : kernel.parameters)
    text += (text.empty() ? "" : " ") + p.name + "=r" + std::to_string(p.reg);
  return text;
}

void print_table(std::span<const weft::assembler::Kernel> kernels) {
  std::printf("| kernel | arguments | what it does |\n|---|---|---|\n");
  for (const weft::assembler::Kernel& kernel : kernels) {
    std::string doc;
    for (const char c : kernel.doc) {
      if (c == '|' || c == '*') doc += '\\';
      doc += c == '\n' ? ' ' : c;
    }
    doc = weft::quoted_lines(doc);
    const std::string arguments = kernel.parameters.empty() ? "" : "`" + parameters(kernel) + "`";
    std::printf("| `%s` | %s | %s |\n", kernel.name.c_str(), arguments.c_str(), doc.c_str());
  }
}

void print_listing(const weft::assembler::Program& program) {
  for (const weft::assembler::Kernel& kernel : program.kernels)
    std::printf("; %4d  %s %s  (%s:%d)\n", kernel.address, kernel.name.c_str(), parameters(kernel).c_str(),
                weft::one_line(kernel.file).c_str(), kernel.line);
  std::multimap<std::uint16_t, std::string> names;
  for (const auto& [name, address] : program.labels) names.emplace(address, name);
  for (std::size_t address = 0; address < program.words.size(); ++address) {
    const auto [first, last] = names.equal_range(static_cast<std::uint16_t>(address));
    for (auto it = first; it != last; ++it) std::printf("; %s:\n", it->second.c_str());
    const std::uint32_t word = program.words[address];
    std::printf("%08x  ; %4zu  %s\n", word, address, weft::assembler::disassemble(word).c_str());
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
      throw weft::assembler::AssemblyError(path, number, "'" + line + "' is not a word", "write 8 hex digits per line");
    std::printf("%s\n", weft::assembler::disassemble(static_cast<std::uint32_t>(word)).c_str());
  }
}

void define(weft::assembler::Constants& constants, const std::string& pair) {
  using namespace weft::assembler;
  const std::size_t equals = pair.find('=');
  if (equals == std::string::npos) throw weft::Refusal("-D " + pair, "has no '='", "write -D NAME=12");
  try {
    Cursor at(std::string_view(pair).substr(equals + 1));
    constexpr std::numeric_limits<int> kInt;
    const std::int64_t value = Symbols().read_number(at, kInt.min(), kInt.max(), "the constant");
    at.expect_end("-D NAME=12");
    constants[pair.substr(0, equals)] = static_cast<int>(value);
  } catch (const Complaint& complaint) {
    throw weft::Refusal("-D " + pair, complaint.what, complaint.hint);
  }
}

/// Prints the listing of all files as one program, or with `table` their kernels.
void assemble_files(const std::vector<std::string>& paths, const weft::assembler::Constants& constants, bool table) {
  std::vector<std::string> texts;
  for (const std::string& path : paths) texts.push_back(read_all(path));
  std::vector<weft::assembler::Source> sources;
  for (std::size_t n = 0; n < paths.size(); ++n) sources.push_back({paths[n], texts[n]});
  if (table) {
    print_table(weft::assembler::declared_kernels(sources));
  } else {
    print_listing(weft::assembler::assemble(sources, constants));
  }
}

int run(int argc, char** argv) {
  char mode = 'a';
  weft::assembler::Constants constants;
  std::vector<std::string> paths;
  for (int n = 1; n < argc; ++n) {
    const std::string arg = argv[n];
    if (arg == "-h" || arg == "--help") return std::fputs(kHelp, stdout), 0;
    if ((arg == "-d" || arg == "-k") && mode == 'a') {
      mode = arg[1];
    } else if (arg == "-D" && n + 1 < argc) {
      define(constants, argv[++n]);
    } else if (arg.size() > 1 && arg.front() == '-') {
      return std::fputs(kHelp, stderr), 2;
    } else {
      paths.push_back(arg);
    }
  }
  if (paths.empty() || (mode == 'd' && paths.size() > 1)) return std::fputs(kHelp, stderr), 2;
  if (mode == 'd') {
    print_text(read_all(paths[0]), paths[0]);
  } else {
    assemble_files(paths, constants, mode == 'k');
  }
  return 0;
}

}  // namespace

/// Exit codes: 0 success, 1 failure of the system, 2 user error.
int main(int argc, char** argv) {
  try {
    const int code = run(argc, argv);
    if (std::fflush(stdout) == 0) return code;
    throw weft::Refusal("standard output", "cannot be written", "make room, or send it elsewhere").caused_by(EIO);
  } catch (const weft::Refusal& refusal) {
    std::fprintf(stderr, "%s\n", refusal.what());
    return refusal.exit_code();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "weft-asm: %s\n", weft::quoted_lines(error.what()).c_str());
    return 1;
  }
}
