/// Finds the kernel that main executes from its program counter and link registers alone, since a tile keeps no record
/// of calls.
///
/// A kernel's own code is everything reachable from its first instruction without a call or a fork. Within a
/// subroutine, the running kernel is that of the caller, which is found through the link register.
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "host/inspect/debug/show.hpp"
#include "isa.hpp"

namespace weft::inspect::debug {
namespace {

using isa::Opcode;
using Registers = std::array<std::uint16_t, 16>;

/// True if `pc` is reachable from `entry`. Calls are assumed to return.
bool reaches(const assembler::Program& program, unsigned entry, unsigned pc) {
  std::vector<bool> seen(program.words.size());
  std::vector<unsigned> ahead{entry};
  while (!ahead.empty()) {
    const unsigned at = ahead.back();
    ahead.pop_back();
    if (at >= seen.size() || seen[at]) continue;
    if (at == pc) return true;
    seen[at] = true;
    const isa::Instr in = isa::decode(program.words[at]);
    const bool jumps = in.op == Opcode::Jal && in.rd == 0;
    if (jumps || (in.known && isa::info(in.op)->branches)) ahead.push_back(in.target);
    if (!jumps && in.op != Opcode::Jr && in.op != Opcode::Halt && in.known) ahead.push_back(at + 1);
  }
  return false;
}

/// Address of the call that led to `pc`, found through the register that holds its return address; the program's size
/// if there is none.
unsigned caller(const assembler::Program& program, const Registers& registers, unsigned pc) {
  unsigned site = 0;
  const auto called = [&](std::uint32_t word) {
    const isa::Instr in = isa::decode(word);
    return in.op == Opcode::Jal && in.rd != 0 && registers[in.rd] == site + 1 && reaches(program, in.target, pc);
  };
  while (site < program.words.size() && !called(program.words[site])) ++site;
  return site;
}

/// Kernel whose own code contains `pc`. If several share that code, the last one whose address is not above `pc`.
const assembler::Kernel* owner(const assembler::Program& program, unsigned pc) {
  const assembler::Kernel* found = nullptr;
  for (const assembler::Kernel& kernel : program.kernels)  // sorted by address
    if ((!found || kernel.address <= pc) && reaches(program, kernel.address, pc)) found = &kernel;
  return found;
}

const assembler::Kernel* kernel_at(const Target& target, sim::TilePlace tile, unsigned pc) {
  const assembler::Program& program = target.names(tile).program;
  if (const assembler::Kernel* kernel = owner(program, pc)) return kernel;
  Registers registers{};
  std::ranges::copy(target.state(tile).main.registers, registers.begin());
  constexpr int kDeepest = 16;  // as many levels as there are link registers
  for (int depth = 0; depth < kDeepest && pc < program.words.size(); ++depth) {
    pc = caller(program, registers, pc);
    if (const assembler::Kernel* kernel = owner(program, pc)) return kernel;
  }
  return nullptr;
}

}  // namespace

const assembler::Kernel* running_kernel(const Target& target, sim::TilePlace tile) {
  const ThreadPlace main = target.thread(tile, false);
  if (main.runs) return kernel_at(target, tile, main.pc);
  if (main.busy) return kernel_at(target, tile, main.sequenced);
  // Main has halted. If psum still runs, main's program counter is just behind the halt; otherwise its position is
  // unknown.
  return target.thread(tile, true).runs && main.pc > 0 ? kernel_at(target, tile, main.pc - 1) : nullptr;
}

}  // namespace weft::inspect::debug
