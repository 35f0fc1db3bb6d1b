/// The scalar instructions. False: the instruction waits, and nothing has changed.
#include "verif/model/row.hpp"

namespace weft::model {

using isa::Op;

bool Row::scalar(Thread& t, const isa::Instr& in) {
  const std::uint16_t a = t.r[in.ra], b = t.r[in.rb];
  std::uint16_t result = 0;
  switch (in.op) {
    case Op::Li:
      result = in.imm;
      break;
    case Op::Add:
      result = a + b;
      break;
    case Op::Sub:
      result = a - b;
      break;
    case Op::And:
      result = a & b;
      break;
    case Op::Or:
      result = a | b;
      break;
    case Op::Xor:
      result = a ^ b;
      break;
    case Op::Addi:
      result = a + in.imm;
      break;
    case Op::Shl:
      result = static_cast<std::uint16_t>(a << in.shamt);
      break;
    case Op::Shr:
      result = a >> in.shamt;
      break;
    case Op::Ld:
      if (t.op.busy) return wait(t, "its sequencer");
      result = element(a + in.imm);
      count(1, false);
      break;
    case Op::Csrr:
      result = control_register(t, in.csr);
      break;
    case Op::Csrw:
      t.csr[static_cast<int>(in.csr)] = a;
      ++t.pc;
      return true;
    case Op::Mvp:
      if (psum_.running) fail(t.pc, "mvp while psum runs: join first");
      if (in.rd) psum_.r[in.rd] = a;
      ++t.pc;
      return true;
    case Op::Rcv:
      return receive(t, in);
    default:
      return send(t, in);
  }
  if (in.rd) t.r[in.rd] = result;
  ++t.pc;
  return true;
}

bool Row::branch(Thread& t, const isa::Instr& in) {
  const std::uint16_t a = t.r[in.ra], b = t.r[in.rb];
  bool jump = false;
  switch (in.op) {
    case Op::Beq:
      jump = a == b;
      break;
    case Op::Bne:
      jump = a != b;
      break;
    case Op::Blt:
      jump = a < b;
      break;
    case Op::Bge:
      jump = a >= b;
      break;
    case Op::Dbnz:
      if (in.ra) t.r[in.ra] = a - 1;
      jump = a != 1;
      break;
    case Op::Jal:
      if (in.rd) t.r[in.rd] = (t.pc + 1) & (WaferShape::kIDepth - 1);
      jump = true;
      break;
    default:
      t.pc = a;
      return true;  // jr
  }
  t.pc = jump ? in.target : t.pc + 1;
  return true;
}

bool Row::control(Thread& t, const isa::Instr& in) {
  switch (in.op) {
    case Op::Halt:
      if (main_thread(t) && t.op.busy) return wait(t, "its sequencer");
      t.running = false;
      return true;
    case Op::Fork:
      if (t.op.busy) return wait(t, "its sequencer");
      if (psum_.running) return wait(t, "psum to be idle");
      psum_.running = true;
      psum_.pc = in.target;
      steps_ = 0;
      break;
    default:  // join
      if (psum_.running || psum_.op.busy) return wait(t, "psum to be idle and done");
  }
  ++t.pc;
  return true;
}

std::uint16_t Row::control_register(const Thread& t, isa::Csr csr) const {
  switch (csr) {
    case isa::Csr::Row:
      return static_cast<std::uint16_t>(row_);
    case isa::Csr::Rows:
      return static_cast<std::uint16_t>(shape_.rows);
    case isa::Csr::Flags:
      return static_cast<std::uint16_t>(flags);
    default:
      return t.csr[static_cast<int>(csr)];
  }
}

/// One element, which must be the same in all columns.
std::uint16_t Row::element(std::uint16_t address) {
  const int lane = (address & (shape_.lanes - 1));
  const std::uint16_t* word = read(address - lane, 1) + lane;
  for (int col = 1; col < shape_.cols; ++col)
    if (word[col * shape_.lanes] != word[0])
      fail(main_.pc, "ld from address " + std::to_string(address) + " differs between columns 0 and " +
                         std::to_string(col) + ": a row must run in step");
  return word[0];
}

}  // namespace weft::model
