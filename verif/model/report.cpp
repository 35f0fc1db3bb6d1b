/// What a row is doing, in words.
#include "sw/asm/assembler.hpp"
#include "verif/model/row.hpp"

namespace weft::model {

std::string Row::where(std::uint16_t pc) const {
  const int at = pc & (WaferShape::kIDepth - 1);
  return "pc " + std::to_string(at) + " `" + disassemble(words_[at]) + "`";
}

void Row::fail(std::uint16_t pc, const std::string& what) const {
  throw ProgramError("row " + std::to_string(row_) + ", " + where(pc) + ": " + what);
}

void Row::out_of_step(const Scalar& scalar, int col, int other) const {
  const std::string what = scalar.address < 0 ? "rcv" : "ld from address " + std::to_string(scalar.address);
  fail(scalar.pc, what + " differs between columns " + std::to_string(col) + " and " + std::to_string(other) +
                      ": a row must run in step");
}

std::string Row::describe(const Thread& t, const char* rests) const {
  std::string text;
  if (t.running)
    text = "at " + where(t.pc) + " waits for " + t.waits;
  else
    text = rests;
  if (t.op.busy) text += ", its sequencer at " + where(t.op.pc) + " waits for " + t.op.waits;
  return text;
}

std::string Row::describe() const {
  std::string text = "main " + describe(main_, "rests") + "; psum " + describe(psum_, "is idle");
  text += "; MP " + std::to_string(mp_.put - mp_.taken) + ", PM " + std::to_string(pm_.put - pm_.taken) + " entries";
  if (ring.words()) text += ", " + std::to_string(ring.words()) + " words on RING";
  if (north.words()) text += ", " + std::to_string(north.words()) + " words on NORTH";
  if (inbox.control())
    text += ", next on W: a command";
  else if (!inbox.empty())
    text += ", next on W: a weight";
  return text;
}

}  // namespace weft::model
