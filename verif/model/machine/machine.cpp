#include "verif/model/machine/machine.hpp"

#include <bit>

#include "sw/asm/assembler.hpp"

namespace weft::model {

std::string Machine::where(std::uint16_t pc) const {
  const int at = pc & InstructionMemory::kMask;
  return "pc " + std::to_string(at) + " `" + assembler::disassemble(program.words()[static_cast<std::size_t>(at)]) +
         "`";
}

std::string Machine::name() const {
  return "row " + std::to_string(place.row) + (parts ? "" : " column " + std::to_string(place.columns.first));
}

void Machine::fail(std::uint16_t pc, const std::string& what) const {
  throw ProgramError(name() + ", " + where(pc) + ": " + what);
}

void Machine::out_of_step(const Scalar& scalar, int col, int other) const {
  const std::string what = scalar.address < 0 ? "rcv" : "ld from address " + std::to_string(scalar.address);
  fail(scalar.pc, what + " differs between columns " + std::to_string(col) + " and " + std::to_string(other) +
                      ", which several threads simulate, so the difference was detected too late. HINT: use one thread "
                      "for the model's wafer (wafer.threads: 1): tiles that leave lockstep then run one by one");
}

Outcome Machine::differs(Thread& t, const Scalar& scalar, int col) const {
  if (parts > 1) out_of_step(scalar, place.columns.first, place.columns.first + col);
  return t.not_in_lockstep(scalar.address < 0 ? "a rcv that differs between columns"
                                              : "a ld that differs between columns");
}

Outcome Machine::settle(Thread& t, const PerColumn::Values& values) {
  for (std::size_t col = 1; col < values.of_column.size(); ++col)
    if (values.of_column[col] != values.of_column[0]) return differs(t, values.loaded, static_cast<int>(col));
  if (parts > 1) scalars.push_back(values.loaded);
  return Outcome::Done;
}

Outcome Machine::settle(Thread& t, std::uint32_t registers) {
  if (!t.is_main()) return Outcome::Done;
  for (std::uint32_t left = registers & per_column.registers(); left; left &= left - 1) {
    const int reg = std::countr_zero(left);
    if (const Outcome same = settle(t, per_column[reg]); same != Outcome::Done) return same;
    per_column.drop(1u << reg);
  }
  return Outcome::Done;
}

Outcome Machine::settle_idx(Thread& t) {
  if (!t.is_main() || !per_column.has_idx()) return Outcome::Done;
  if (const Outcome same = settle(t, per_column.idx()); same != Outcome::Done) return same;
  per_column.drop_idx();
  return Outcome::Done;
}

}  // namespace weft::model
