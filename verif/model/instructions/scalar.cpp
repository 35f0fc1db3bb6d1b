/// Scalars from memory and control registers, and for psum.
#include "verif/model/instructions/instructions.hpp"

namespace weft::model {

namespace {

Outcome write(Thread& t, const isa::Instr& in, unsigned value) {
  if (in.rd) t.r[in.rd] = static_cast<std::uint16_t>(value);
  ++t.pc;
  return Outcome::Done;
}

}  // namespace

Outcome ld(Machine& m, Thread& t, const Decoded& decoded) {
  if (t.op.busy) return t.wait("its sequencer");
  const auto address = static_cast<std::uint16_t>(t.r[decoded.in.ra] + decoded.in.imm);
  const std::uint16_t* element = m.memory.element(address);
  const int columns = m.place.columns.count, lanes = m.place.shape.lanes;
  for (int col = 1; col < columns; ++col)
    if (element[col * lanes] != element[0]) return m.differs(t, {t.pc, address, element[0]}, col);
  if (m.parts > 1) m.scalars.push_back({t.pc, address, element[0]});
  m.count(1, false);
  return write(t, decoded.in, element[0]);
}

Outcome csrr(Machine& m, Thread& t, const Decoded& decoded) {
  switch (decoded.in.csr) {
    case isa::Csr::Row:
      return write(t, decoded.in, static_cast<unsigned>(m.place.row));
    case isa::Csr::Rows:
      return write(t, decoded.in, static_cast<unsigned>(m.place.shape.rows));
    case isa::Csr::Col:
      if (m.in_step()) return t.not_in_step("csrr of COL");
      return write(t, decoded.in, static_cast<unsigned>(m.place.columns.first));
    case isa::Csr::Cols:
      return write(t, decoded.in, static_cast<unsigned>(m.place.shape.cols));
    case isa::Csr::Flags:
      return write(t, decoded.in, m.flags.bits);
    default:
      return write(t, decoded.in, t.csr[static_cast<std::size_t>(decoded.in.csr)]);
  }
}

Outcome mvp(Machine& m, Thread& t, const Decoded& decoded) {
  if (m.psum.running) return bad_instr(m, t, decoded);
  if (decoded.in.rd) m.psum.r[decoded.in.rd] = t.r[decoded.in.ra];
  ++t.pc;
  return Outcome::Done;
}

}  // namespace weft::model
