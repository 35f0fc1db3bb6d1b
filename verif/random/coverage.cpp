#include <sstream>

#include "isa.hpp"
#include "verif/random/run.hpp"

namespace weft::random {

void Coverage::add(int thread, std::uint32_t word, std::uint64_t times) {
  if (!times) return;
  const auto t = static_cast<std::size_t>(thread);
  instructions += times;
  opcodes[t][word >> 26] += times;
  const isa::Instr in = isa::decode(word);
  if (!in.known) return;
  if (in.op == isa::Opcode::Csrr || in.op == isa::Opcode::Csrw)
    csrs[t][in.op == isa::Opcode::Csrw][static_cast<std::size_t>(in.csr)] += times;
  if (in.op != isa::Opcode::Vf || thread) return;
  fields[0][static_cast<std::size_t>(in.fn)] += times;
  fields[1][static_cast<std::size_t>(in.asel)] += times;
  fields[2][static_cast<std::size_t>(in.bsel)] += times;
  fields[3][static_cast<std::size_t>(in.csel)] += times;
  fields[4][static_cast<std::size_t>(in.dsel)] += times;
}

std::string Coverage::print() const {
  std::ostringstream text;
  std::uint64_t illegal = 0;
  for (std::size_t t = 0; t < 2; ++t) {
    text << (t ? "psum" : "main");
    for (std::size_t op = 0; op < 64; ++op) {
      const isa::Info* info = isa::info(static_cast<isa::Opcode>(op));
      if (!info || !(t ? info->psum : info->main))
        illegal += opcodes[t][op];
      else
        text << " " << info->name << " " << opcodes[t][op];
    }
    for (std::size_t w = 0; w < 2; ++w) {
      text << (w ? "; csrw" : "\n  csrr");
      for (std::size_t csr = 0; csr < 16; ++csr)
        if (csrs[t][w][csr] && csr < std::size(isa::kCsrNames) && !isa::kCsrNames[csr].empty())
          text << " " << isa::kCsrNames[csr] << " " << csrs[t][w][csr];
    }
    text << "\n";
  }
  const auto names = [&](std::size_t field, const auto& of) {
    for (std::size_t v = 0; v < std::size(of); ++v) text << " " << of[v] << " " << fields[field][v];
    text << ";";
  };
  text << "vf";
  names(0, isa::kFnNames), names(1, isa::kAselNames), names(2, isa::kBselNames), names(3, isa::kCselNames),
      names(4, isa::kDselNames);
  text << "\nopcodes of the other thread or of no thread " << illegal << "; flags";
  for (std::size_t f = 0; f < std::size(isa::kFlagNames); ++f)
    if (flags >> f & 1) text << " " << isa::kFlagNames[f];
  text << "\n"
       << instructions << " instructions, " << messages << " words at outlets, " << cycles << " cycles, at most "
       << longest << " a case; " << in_lockstep << " of " << cases << " cases in lockstep to the end\n";
  return text.str();
}

}  // namespace weft::random
