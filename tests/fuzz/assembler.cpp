/// Assembly language to instructions, and instructions to text and back. A form feed starts another file.
#include "sw/asm/assembler.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "kernel_sources.hpp"
#include "tests/fuzz/target.hpp"

namespace weft::fuzz::assembler_target {
namespace {

constexpr char kNextFile = '\f';

/// Constants that the kernels need, with arbitrary values.
assembler::Constants constants() {
  assembler::Constants all;
  for (const char* name : {"LANES",
                           "LANE_BITS",
                           "T",
                           "VLT",
                           "SP",
                           "SPW",
                           "CNT_HIDDEN",
                           "CNT_FILTER",
                           "CNT_VOCAB",
                           "HEAD_COUNT",
                           "HEAD_DIM",
                           "GROUP_FIRST",
                           "GROUP_LAST",
                           "ROW_INDEX",
                           "TRIANGLE",
                           "TRIANGLE_LOWER",
                           "LABELS",
                           "VALID",
                           "LOSS_SCALE",
                           "HEAD_ROWS",
                           "HEAD_AT_ONCE",
                           "PROBS",
                           "DPROBS",
                           "SCALE",
                           "MINUS_SCALE",
                           "LN_EPS",
                           "INV_HIDDEN_HI",
                           "INV_HIDDEN_LO",
                           "MINUS_INV_HIDDEN_HI",
                           "MINUS_INV_HIDDEN_LO"})
    all[name] = static_cast<int>(4 + all.size());
  return all;
}
const assembler::Constants kConstants = constants();

std::vector<assembler::Source> split(std::string_view text) {
  std::vector<assembler::Source> sources;
  for (;;) {
    const std::size_t end = text.find(kNextFile);
    sources.push_back({"mine.s", text.substr(0, end)});
    if (end == text.npos) return sources;
    text.remove_prefix(end + 1);
  }
}

void check(const assembler::Program& program, const std::vector<assembler::Source>& sources) {
  promise(program.words.size() <= 1024, "a program fits");
  promise(program.lines.size() == program.words.size(), "every instruction has a line");
  for (const assembler::SourceLine& line : program.lines) {
    const auto& text = sources.at(line.file).text;
    promise(line.line > 0 && line.line <= 1 + std::ranges::count(text, '\n'), "the line is in its file");
  }
  const std::vector<assembler::Kernel> kernels = assembler::declared_kernels(sources);
  promise(kernels.size() == program.kernels.size(), "kernels are declared without constants");
  for (const assembler::Kernel& kernel : kernels) {
    promise(kernel.address < program.words.size(), "a kernel has instructions:", kernel.name);
    promise(program.labels.at(kernel.name) == kernel.address, "a kernel is a label:", kernel.name);
    for (const assembler::Parameter& p : kernel.parameters) promise(p.reg > 0 && p.reg < 16, "a register:", p.name);
  }
}

}  // namespace

std::vector<std::string> seeds() {
  std::vector<std::string> result = {
      ".equ N, 3\nstart: li r1, N\n  dbnz r1, start\n  .word 0x12345678\n  halt\n",
      "vf.exp M[r1], M[r1], S[r15], R[r5]\nvs.mov own=R[r1], out=WEST, gather\nli r2, bf16(-1e38)\n",
      "; Waits.\n.kernel wait n=r1 m=r2\n.reg x, r3\n  twice n, dbnz\n  twice m, dbnz\n  mov x, n\n  halt\n"
      ".routine other x=r4\n  csrr x, COLS\n  ret x\n"
      ".macro twice a op\nloop\\@:\n  \\op \\a, loop\\@\n  r\\()et \\a\n.endm\n",
      ".macro a\n  b\n  b\n.endm\n.macro b\n  c\n  c\n.endm\n.macro c\n  join ; c\n.endm\nx: a\n\f  jmp x\n\f.equ E, "
      "x\n"};
  std::string all;
  for (const assembler::Source& source : kernels::kKernelSources) {
    result.emplace_back(source.text);
    all += (all.empty() ? "" : std::string(1, kNextFile)) + std::string(source.text);
  }
  result.push_back(all);
  return result;
}

void read(std::span<const std::uint8_t> bytes) {
  std::vector<std::uint32_t> words(bytes.size() / 4);
  if (!words.empty()) std::memcpy(words.data(), bytes.data(), 4 * words.size());
  try {
    const std::vector<assembler::Source> sources = split({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    const assembler::Program program = assembler::assemble(sources, kConstants);
    check(program, sources);
    words = program.words;
  } catch (const assembler::AssemblyError& e) {
    promise_one_line(e.what());
    promise(e.line > 0 && e.file == "mine.s", "an error names its file and line:", e.what());
    words.resize(std::min<std::size_t>(words.size(), 16));
  }
  for (const std::uint32_t word : words) {
    const std::string text = assembler::disassemble(word);
    promise(assembler::assemble(text, "text").words == std::vector<std::uint32_t>{word},
            "an instruction comes back:", text);
  }
}

const bool kAdded = add({"assembler", seeds, read});

}  // namespace weft::fuzz::assembler_target
