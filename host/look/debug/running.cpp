/// Which kernel main is in, by its program counter alone: nothing in a tile keeps what was called.
///
/// A kernel's own code is what can be reached from its first instruction without a call or a fork. In a subroutine it
/// is the kernel that the caller is in, and the caller is where the link register leads back to.
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "host/look/debug/show.hpp"
#include "isa.hpp"

namespace weft::debug {
namespace {

using isa::Op;
using Registers = std::array<std::uint16_t, 16>;

/// Whether `pc` is of the code that begins at `entry`. Calls are taken to come back.
bool reaches(const Program& program, unsigned entry, unsigned pc) {
  std::vector<bool> seen(program.words.size());
  std::vector<unsigned> ahead{entry};
  while (!ahead.empty()) {
    const unsigned at = ahead.back();
    ahead.pop_back();
    if (at >= seen.size() || seen[at]) continue;
    if (at == pc) return true;
    seen[at] = true;
    const isa::Instr in = isa::decode(program.words[at]);
    const bool jumps = in.op == Op::Jal && in.rd == 0;
    const bool branches = in.op >= Op::Beq && in.op <= Op::Dbnz;
    if (jumps || branches) ahead.push_back(in.target);
    if (!jumps && in.op != Op::Jr && in.op != Op::Halt && in.legal) ahead.push_back(at + 1);
  }
  return false;
}

/// The call that has led to `pc`, by the register that it left its way back in; the program's size if there is none.
unsigned caller(const Program& program, const Registers& registers, unsigned pc) {
  unsigned site = 0;
  const auto called = [&](std::uint32_t word) {
    const isa::Instr in = isa::decode(word);
    return in.op == Op::Jal && in.rd != 0 && registers[in.rd] == site + 1 && reaches(program, in.target, pc);
  };
  while (site < program.words.size() && !called(program.words[site])) ++site;
  return site;
}

/// The kernel whose own code has `pc`; of several that share it the one above it.
const Kernel* owner(const Program& program, unsigned pc) {
  const Kernel* found = nullptr;
  for (const Kernel& kernel : program.kernels)  // by rising address
    if ((!found || kernel.address <= pc) && reaches(program, kernel.address, pc)) found = &kernel;
  return found;
}

const Kernel* kernel_at(const Target& target, TilePlace tile, unsigned pc) {
  const Program& program = target.names().program;
  if (const Kernel* kernel = owner(program, pc)) return kernel;
  Registers registers{};
  std::ranges::copy(target.state(tile).main.registers, registers.begin());
  constexpr int kDeepest = 16;  // as many links as there are registers
  for (int depth = 0; depth < kDeepest && pc < program.words.size(); ++depth) {
    pc = caller(program, registers, pc);
    if (const Kernel* kernel = owner(program, pc)) return kernel;
  }
  return nullptr;
}

}  // namespace

const Kernel* running_kernel(const Target& target, TilePlace tile) {
  const ThreadPlace main = target.thread(tile, false);
  if (main.runs) return kernel_at(target, tile, main.pc);
  if (main.busy) return kernel_at(target, tile, main.sequenced);
  // It has halted, and is behind its halt, or nobody knows where.
  return target.thread(tile, true).runs && main.pc > 0 ? kernel_at(target, tile, main.pc - 1) : nullptr;
}

}  // namespace weft::debug
