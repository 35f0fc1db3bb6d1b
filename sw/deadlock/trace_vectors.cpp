/// Reader: words that vector instructions take and send, and memory that they write.
#include <algorithm>

#include "sw/deadlock/trace.hpp"
#include "sw/machine/gather.hpp"

namespace weft::deadlock {

using isa::Csr;
using isa::Opcode;
using Kind = Event::Kind;

std::uint16_t Reader::number(bool psum, const Value& value, std::uint16_t pc, const char* what) const {
  if (!value.known)
    unknown(psum, pc, std::string(what) + " depends on a computed value, or on one that no command has set");
  return value.v;
}

int Reader::length(bool psum, std::uint16_t pc) const {
  const int vl = number(psum, (psum ? psum_ : main_).control(Csr::VL), pc, "VL") & 255;
  return vl ? vl : 256;
}

std::uint8_t Reader::group(const isa::Instr& in, std::uint16_t pc) const {
  return static_cast<std::uint8_t>(
      machine::full_group(number(false, main_.reg(in.rc), pc, "the size of vdot's groups")));
}

void Reader::color(int c, std::uint16_t pc, bool in) const {
  if (c >= shape_.colors) wrong(true, pc, "color " + std::to_string(c) + " is not built");
  if (c == 0) wrong(true, pc, in ? "psum takes no W" : "psum sends no W");
}

void Reader::writes(bool psum, const Value& first, const Value& stride, const Value& times, int beats,
                    std::uint16_t pc) {
  const auto forget = [&](std::size_t a) {
    if (!psum && loaded_[a]) unknown(psum, pc, "writes values that psum may read for its branches");
    memory_[a].known = false;
  };
  if (!first.known || !times.known || (!stride.known && times.v > 1)) {
    for (std::size_t a = 0; a < memory_.size(); ++a) forget(a);
    return;
  }
  for (unsigned k = 0; k < times.v; ++k)
    for (int e = 0; e < beats * shape_.lanes; ++e) {
      const unsigned address = first.v + k * stride.v + static_cast<unsigned>(e / shape_.lanes * shape_.lanes);
      const unsigned lane = static_cast<unsigned>(e % shape_.lanes);
      const std::size_t a = shape_.general ? (address + lane) & 0xffff
                                           : ((address & 0xffff) & ~static_cast<unsigned>(shape_.lanes - 1)) + lane;
      if (a < memory_.size()) forget(a);
    }
}

std::uint32_t Reader::take_stream(std::uint16_t pc) {
  steps_ = 0;
  std::uint32_t n = 0;
  for (; next_ < w_.size(); ++next_) {
    ++n;
    if (!w_[next_].ctrl) continue;
    if (w_[next_].data >> 24 != static_cast<unsigned>(machine::Command::CR))
      wrong(false, pc, "its stream ends with a command that is not a CR");
    ++next_;
    return n;
  }
  wrong(false, pc, "waits for a weight or CR on W, and the stream has ended");
}

/// Forgets the memory that an instruction writes which uses no queue.
void Reader::local(bool psum, const isa::Info& info, std::uint16_t pc) {
  const Thread& t = psum ? psum_ : main_;
  const std::uint32_t word = code_[pc];
  const Value times = info.repeated ? t.control(Csr::Rep) : Value{1, true};
  for (const isa::MemoryWrite& write : info.writes)
    if ((word & write.mask) == write.when)
      writes(psum, t.reg(word >> write.lsb & 15), t.control(Csr::Std), times, length(psum, pc), pc);
}

void Reader::vector(bool psum, const isa::Instr& in, std::uint16_t pc) {
  if (const isa::Info& info = *isa::info(in.op); info.local) return local(psum, info, pc);
  if (psum) return stream(in, pc);
  switch (in.op) {
    case Opcode::Vaxs:
      trace_.main.push_back({.kind = Kind::Axpy, .pc = pc, .n = take_stream(pc)});
      if (in.put) trace_.main.push_back({.kind = Kind::Copy, .pc = pc});
      return;
    case Opcode::Vdot:
      return trace_.main.push_back({.kind = Kind::Dot, .pc = pc, .n = take_stream(pc), .full = group(in, pc)});
    case Opcode::Vcr:
      return trace_.main.push_back({.kind = Kind::Copy, .pc = pc});
    default:
      unknown(psum, pc, kUnknownEffects);
  }
}

void Reader::stream(const isa::Instr& in, std::uint16_t pc) {
  Event e{.pc = pc, .cin = in.cin, .cout = in.cout};
  const bool vr = in.op == Opcode::Vr;
  if (in.op == Opcode::Snd) {
    trace_.psum.push_back({.kind = Kind::Send, .pc = pc, .cout = in.color, .sends = 1});
    return;
  }
  if (!vr && in.op != Opcode::Vb && in.op != Opcode::Vs) unknown(true, pc, kUnknownEffects);
  if (vr) {
    e.kind = Kind::Reduce, e.takes = e.sends = shape_.lanes == 2 ? 1 : 2, e.not_last = true;
    trace_.psum.push_back(e);
    return;
  }
  const int vl = length(true, pc), pairs = shape_.lanes / 2;
  e.kind = Kind::Words;
  if (in.op == Opcode::Vb) {
    e.n = static_cast<std::uint32_t>(vl), e.pm = true;
    e.takes = static_cast<std::uint8_t>(in.in ? pairs : 0), e.sends = static_cast<std::uint8_t>(in.out ? pairs : 0);
    trace_.psum.push_back(e);
    // Either of two buffers, as the queue selects.
    const Value to = psum_.reg(in.rd);
    writes(true, to, {static_cast<std::uint16_t>(vl * shape_.lanes), true}, {2, true}, vl, pc);
    return;
  }
  e.n = static_cast<std::uint32_t>(vl * pairs), e.q = in.q;
  e.takes = in.in ? 2 : 0, e.sends = in.out ? 2 : 0;
  trace_.psum.push_back(e);
  if (in.d == isa::VsD::M) writes(true, psum_.reg(in.rd), {0, true}, {1, true}, vl, pc);
  if (in.gather) {
    e.q = false, e.takes = e.sends = 2, e.per_east = true;
    trace_.psum.push_back(e);
  }
}

}  // namespace weft::deadlock
