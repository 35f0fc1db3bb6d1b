/// Assembly language to instructions, and instructions to text and back.
#include "sw/asm/assembler.hpp"

#include <cstring>

#include "kernel_sources.hpp"
#include "tests/fuzz/target.hpp"

namespace weft::fuzz {
namespace {

const Constants kConstants = {{"VLT", 4}, {"T", 16}, {"LANES", 4}, {"ROW_INDEX", 7}};

}  // namespace

std::vector<std::string> seeds() {
  std::vector<std::string> result = {".equ N, 3\nstart: li r1, N\n  dbnz r1, start\n  .word 0x12345678\n  halt\n",
                                     "vf.exp M[r1], M[r1], S[r15], R[r5]\nvs.mov own=R[r1], out=WEST, gather\n"
                                     "li r2, bf16(-1e38)\n"};
  for (const KernelSource& source : kKernelSources) result.emplace_back(source.text);
  return result;
}

void read(std::span<const std::uint8_t> bytes) {
  std::vector<std::uint32_t> words(bytes.size() / 4);
  if (!words.empty()) std::memcpy(words.data(), bytes.data(), 4 * words.size());
  try {
    words = assemble({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, "mine.s", kConstants).words;
  } catch (const AssemblyError& e) {
    promise(std::string(e.what()).find(". HINT: ") != std::string::npos, "an error says what to do:", e.what());
    promise(e.line > 0, "an error names its line:", e.what());
    words.resize(std::min<std::size_t>(words.size(), 16));
  }
  for (const std::uint32_t word : words) {
    const std::string text = disassemble(word);
    promise(assemble(text, "text").words == std::vector<std::uint32_t>{word}, "an instruction comes back:", text);
  }
}

}  // namespace weft::fuzz
