/// Scalar instructions on memory and control registers, and messages to psum.
#include "verif/model/instructions/instructions.hpp"

namespace weft::model {

namespace {

Outcome write(Machine& m, Thread& t, const isa::Instr& in, unsigned value) {
  if (in.rd) t.r[in.rd] = static_cast<std::uint16_t>(value);
  if (t.is_main()) m.per_column.drop(1u << in.rd);
  ++t.pc;
  return Outcome::Done;
}

constexpr auto kIdx = static_cast<std::size_t>(isa::Csr::Idx);

/// Checks that the next instruction copies the loaded value to IDX, which may differ between lockstep columns.
bool loads_idx(const Machine& m, const Thread& t, const isa::Instr& in) {
  if (!m.in_lockstep() || !t.is_main() || !in.rd) return false;
  const Decoded& next = m.program[t.pc + 1];
  return next.step[Thread::kMain] == csrw_idx && next.in.ra == in.rd;
}

}  // namespace

Outcome ld(Machine& m, Thread& t, const Decoded& decoded) {
  if (t.op.busy) return t.wait("its sequencer");
  if (const Outcome same = m.settle(t, 1u << decoded.in.ra); same != Outcome::Done) return same;
  const auto address = static_cast<std::uint16_t>(t.r[decoded.in.ra] + decoded.in.imm);
  const std::uint16_t* element = m.sram.element(address);
  const int columns = m.place.columns.count, lanes = m.place.shape.lanes;
  const Scalar scalar{t.pc, address, element[0]};
  if (loads_idx(m, t, decoded.in)) {
    PerColumn::Values& values = m.per_column[decoded.in.rd];
    values.loaded = scalar;
    values.of_column.resize(static_cast<std::size_t>(columns));
    for (int col = 0; col < columns; ++col) values.of_column[static_cast<std::size_t>(col)] = element[col * lanes];
    write(m, t, decoded.in, element[0]);
    m.per_column.keep(decoded.in.rd);
    m.count(1, false);
    return Outcome::Done;
  }
  for (int col = 1; col < columns; ++col)
    if (element[col * lanes] != element[0]) return m.differs(t, scalar, col);
  if (m.parts > 1) m.scalars.push_back(scalar);
  m.count(1, false);
  return write(m, t, decoded.in, element[0]);
}

Outcome csrw_idx(Machine& m, Thread& t, const Decoded& decoded) {
  const int from = decoded.in.ra;
  t.csr[kIdx] = t.r[static_cast<std::size_t>(from)];
  if (m.per_column.has(from))
    m.per_column.to_idx(from, m.place.shape.lanes);
  else
    m.per_column.drop_idx();
  ++t.pc;
  return Outcome::Done;
}

Outcome csrr(Machine& m, Thread& t, const Decoded& decoded) {
  switch (decoded.in.csr) {
    case isa::Csr::Row:
      return write(m, t, decoded.in, static_cast<unsigned>(m.place.row));
    case isa::Csr::Rows:
      return write(m, t, decoded.in, static_cast<unsigned>(m.place.shape.rows));
    case isa::Csr::Col:
      if (m.in_lockstep()) return t.not_in_lockstep("csrr of COL");
      return write(m, t, decoded.in, static_cast<unsigned>(m.place.columns.first));
    case isa::Csr::Cols:
      return write(m, t, decoded.in, static_cast<unsigned>(m.place.shape.cols));
    case isa::Csr::Flags:
      return write(m, t, decoded.in, m.flags.bits);
    case isa::Csr::Idx:
      if (const Outcome same = m.settle_idx(t); same != Outcome::Done) return same;
      [[fallthrough]];
    default:
      return write(m, t, decoded.in, t.csr[static_cast<std::size_t>(decoded.in.csr)]);
  }
}

Outcome mvp(Machine& m, Thread& t, const Decoded& decoded) {
  if (m.psum.running) return bad_instr(m, t, decoded);
  if (const Outcome same = m.settle(t, 1u << decoded.in.ra); same != Outcome::Done) return same;
  if (decoded.in.rd) m.psum.r[decoded.in.rd] = t.r[decoded.in.ra];
  ++t.pc;
  return Outcome::Done;
}

}  // namespace weft::model
