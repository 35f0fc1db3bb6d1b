/// The scalar instructions. False: the instruction waits, and nothing has changed.
#include "verif/model/row.hpp"

namespace weft::model {

using isa::Op;

namespace {

/// More instructions and beats of vf than any program runs without touching a stream, a queue or a command.
constexpr std::uint64_t kRunaway = 1u << 24;

}  // namespace

/// Runs the instructions that only touch registers, up to the first that does more.
void Row::run_registers(Thread& t) {
  constexpr int kPc = WaferShape::kIDepth - 1;
  auto& r = t.r;
  std::uint16_t pc = t.pc & kPc;
  for (; decoded_[pc].registers; r[0] = 0) {
    const isa::Instr& in = decoded_[pc].in;
    const std::uint16_t a = r[in.ra], b = r[in.rb], next = (pc + 1) & kPc;
    const auto go_if = [&](bool jump) { pc = jump ? in.target & kPc : next; };
    moved_ = true;
    if (++steps_ > kRunaway) fail(pc, "runs in circles without end");
    switch (in.op) {
      case Op::Li:
        r[in.rd] = in.imm;
        break;
      case Op::Add:
        r[in.rd] = a + b;
        break;
      case Op::Sub:
        r[in.rd] = a - b;
        break;
      case Op::And:
        r[in.rd] = a & b;
        break;
      case Op::Or:
        r[in.rd] = a | b;
        break;
      case Op::Xor:
        r[in.rd] = a ^ b;
        break;
      case Op::Addi:
        r[in.rd] = a + in.imm;
        break;
      case Op::Shl:
        r[in.rd] = static_cast<std::uint16_t>(a << in.shamt);
        break;
      case Op::Shr:
        r[in.rd] = a >> in.shamt;
        break;
      case Op::Csrw:
        t.csr[static_cast<int>(in.csr)] = a;
        break;
      case Op::Beq:
        go_if(a == b);
        continue;
      case Op::Bne:
        go_if(a != b);
        continue;
      case Op::Blt:
        go_if(a < b);
        continue;
      case Op::Bge:
        go_if(a >= b);
        continue;
      case Op::Dbnz:
        r[in.ra] = a - 1;
        go_if(a != 1);
        continue;
      case Op::Jal:
        r[in.rd] = next;
        pc = in.target & kPc;
        continue;
      default:  // jr
        pc = a & kPc;
        continue;
    }
    pc = next;
  }
  t.pc = pc;
}

bool Row::scalar(Thread& t, const isa::Instr& in) {
  const std::uint16_t a = t.r[in.ra];
  std::uint16_t result = 0;
  switch (in.op) {
    case Op::Ld:
      if (t.op.busy) return wait(t, "its sequencer");
      result = element(a + in.imm);
      count(1, false);
      break;
    case Op::Csrr:
      result = control_register(t, in.csr);
      break;
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
  scalars.push_back({main_.pc, address, word[0]});
  for (int col = 1; col < columns_.count; ++col)
    if (word[col * shape_.lanes] != word[0]) out_of_step(scalars.back(), columns_.first, columns_.first + col);
  return word[0];
}

}  // namespace weft::model
