/// The two threads of a row: each runs until it blocks.
#include "verif/model/row.hpp"

namespace weft::model {

using isa::Op;

Row::Row(const WaferShape& shape, int row, Columns columns)
    : ring(columns.count),
      north(columns.count),
      shape_(shape),
      row_(row),
      columns_(columns),
      width_(columns.count * shape.lanes),
      words_(WaferShape::kIDepth),
      decoded_(WaferShape::kIDepth),
      maddr_(shape.cols),
      m_(static_cast<std::size_t>(shape.sram_elements()) * columns.count + 2u * WaferShape::kRDepth * width_),
      r_(static_cast<std::size_t>(WaferShape::kRDepth) * width_),
      a_(static_cast<std::size_t>(WaferShape::kRDepth) * width_),
      b_(static_cast<std::size_t>(WaferShape::kRDepth) * width_),
      dy_(static_cast<std::size_t>(WaferShape::kRDepth) * width_) {}

bool Row::run() {
  bool any = false;
  do {
    moved_ = false;
    run(main_);
    run(psum_);
    any |= moved_;
  } while (moved_);
  return any;
}

void Row::run(Thread& t) {
  for (;;) {
    if (t.op.busy && execute(t.op)) {
      t.op.busy = false;
      moved_ = true;
    }
    if (t.running) {
      run_registers(t);
      if (!step(t)) return;
      moved_ = true;
    } else if (main_thread(t) && !inbox.empty()) {
      if (inbox.control()) {
        command(inbox.take_control());
      } else {
        flag(isa::Flag::BadCommand);
        inbox.drop(1);
      }
      moved_ = true;
    } else {
      return;
    }
  }
}

/// An instruction that does not only touch registers.
bool Row::step(Thread& t) {
  const Decoded& decoded = decoded_[t.pc];
  const isa::Instr& in = decoded.in;
  if (!(main_thread(t) ? decoded.main : decoded.psum)) {
    flag(isa::Flag::BadInstr);
    t.running = false;
    return true;
  }
  const int op = static_cast<int>(in.op);
  if (op & 32) return accept(t, decoded);
  if ((op >> 3 & 3) == 3) return control(t, in);
  return scalar(t, in);
}

/// Hands a vector instruction to the sequencer.
bool Row::accept(Thread& t, const Decoded& decoded) {
  const isa::Instr& in = decoded.in;
  if (t.op.busy) return wait(t, "its sequencer");
  VectorOp& op = t.op;
  const auto csr = [&](isa::Csr c) { return t.csr[static_cast<int>(c)]; };
  op.busy = true, op.started = false, op.pc = t.pc, op.in = in;
  op.elementwise = decoded.elementwise, op.table = decoded.table;
  op.rd = t.r[in.rd], op.ra = t.r[in.ra], op.rb = t.r[in.rb], op.rc = t.r[in.rc];
  op.vl = csr(isa::Csr::VL), op.rep = csr(isa::Csr::Rep), op.sta = csr(isa::Csr::Sta), op.stb = csr(isa::Csr::Stb);
  op.std = csr(isa::Csr::Std), op.idx = csr(isa::Csr::Idx), op.lmask = csr(isa::Csr::Lmask);
  if (op.vl < 1 || op.vl > WaferShape::kRDepth) fail(t.pc, "VL is " + std::to_string(op.vl) + ", not 1..256");
  ++t.pc;
  steps_ = in.op == Op::Vf ? steps_ + std::uint64_t{op.rep} * op.vl : 0;
  return true;
}

bool Row::execute(VectorOp& op) {
  switch (op.in.op) {
    case Op::Vf:
      return vf(op);
    case Op::Vaxs:
      return vaxs(op);
    case Op::Vcr:
      return vcr(op);
    case Op::Vdot:
      return vdot(op);
    case Op::Vs:
      return vs(op);
    case Op::Vb:
      return vb(op);
    default:
      return vr(op);
  }
}

bool Row::wait(Thread& t, const char* what) {
  t.waits = what;
  return false;
}

bool Row::wait(VectorOp& op, const char* what) {
  op.waits = what;
  return false;
}

void Row::count(std::uint64_t n, bool multiplies) {
  beats += n * columns_.count;
  if (multiplies) fma_lanes += n * width_;
}

}  // namespace weft::model
