#include "host/planning/estimate/kernels/forked.hpp"

#include <stdexcept>

#include "host/planning/estimate/all_reduce.hpp"
#include "host/planning/estimate/kernels/thread.hpp"

namespace weft {
namespace {

constexpr double kFork = 12;    // until psum begins, plus from its last beat until main may read the result
constexpr double kColumn = 22;  // psum receives a word and sends it to the next column
constexpr double kPass = 5;     // a vector's first word, from one tile to the next and into memory

/// True for all-reduces, whose words return only after passing through all rows.
bool reduces(const Program& program, std::uint16_t address) {
  return address == program.labels.at("sum_psum") || address == program.labels.at("max_psum");
}

}  // namespace

KernelCost forked(const Program& program, const WaferShape& wafer, const KernelRow& row, std::uint16_t address,
                  std::array<std::uint16_t, 16> registers) {
  KernelThread psum{.row = row.row, .rows = wafer.rows, .pc = address, .r = registers};
  std::uint64_t beats = 0, passed = 0;  // column 0's beats for words of columns to its east: twice the mean
  double cycles = kFork;
  for (;;) {
    const isa::Instr in = isa::decode(program.words.at(psum.pc));
    if (in.op == isa::Op::Halt) break;
    cycles += kInstruction;
    if (psum.scalar(in)) continue;
    if (in.op == isa::Op::Rcv) {
      cycles += kColumn * (wafer.cols - 1);
    } else if (in.op == isa::Op::Snd) {
      ++beats;
    } else if (in.op == isa::Op::Vs) {
      const int words = psum.vl() * wafer.lanes;
      const auto own = static_cast<std::uint64_t>(words / 2);
      beats += own;
      if (in.gather) passed += own * static_cast<std::uint64_t>(wafer.cols - 1);
      cycles += in.gather ? words * wafer.cols : words / 2.0 + (in.in ? kPass : 0);
    } else {
      throw std::logic_error("psum's " + disassemble(program.words[psum.pc]) + " is not estimated");
    }
    ++psum.pc;
  }
  // registers[2] entries, over the rows from registers[3] to registers[4].
  if (reduces(program, address))
    cycles = all_reduce_cycles(registers[2] * wafer.lanes, registers[4] - registers[3] + 1);
  return {beats + passed / 2, cycles};
}

}  // namespace weft
