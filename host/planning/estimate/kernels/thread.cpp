#include "host/planning/estimate/kernels/thread.hpp"

#include "sw/machine/register_step.hpp"

namespace weft {

bool KernelThread::scalar(const isa::Instr& in) {
  if (in.op == isa::Op::Csrr) {
    set(in.rd, in.csr == isa::Csr::Row ? row : in.csr == isa::Csr::Rows ? rows : csr[static_cast<std::size_t>(in.csr)]);
    ++pc;
    return true;
  }
  const isa::Info* const info = isa::info(in.op);
  if (!info || !info->registers) return false;
  pc = static_cast<std::uint16_t>(register_step(in, r, csr, pc));
  return true;
}

}  // namespace weft
