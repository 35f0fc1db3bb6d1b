/// Generator of one thread's instructions.
#pragma once

#include <vector>

#include "isa.hpp"
#include "verif/random/case.hpp"
#include "verif/random/rng.hpp"

namespace weft::random {

inline std::uint8_t u8(int n) { return static_cast<std::uint8_t>(n); }

using isa::Instr;
using isa::Opcode;

class Code {
 public:
  /// Targets are indices into `lines`; Plan relocates them to their final place.
  std::vector<Line> lines;
  int unit = kFrame;
  bool alone = false;  ///< value for further lines
  unsigned kept = 0;   ///< bit mask of registers that must not be written
  int depth = 0;       ///< nesting depth of loops
  int longest = 0;     ///< maximum of VL
  int repeats = 1;     ///< maximum of REP

  explicit Code(Rng& rng) : rng_(&rng) {}

  int here() const { return static_cast<int>(lines.size()); }
  int emit(Instr in) { return put(isa::encode(in) | junk(in.op), Line::kNone, alone); }
  /// Emits an instruction that others need.
  int frame(Instr in) { return put(isa::encode(in) | junk(in.op), Line::kNone, false); }
  /// Emits an instruction with the address of a line. `high`: random bits above the address, for instructions that
  /// ignore them.
  int jump(Instr in, int target, bool high = true) {
    const auto bits = high && rng_->chance(20) ? static_cast<std::uint32_t>(rng_->below(64)) << 10 : 0;
    return put(isa::encode(in) | junk(in.op) | bits, target, false);
  }
  int raw(std::uint32_t word) { return put(word, Line::kNone, false); }
  void aim(int line, int target) { lines[static_cast<std::size_t>(line)].target = target; }

  void li(int rd, unsigned value) { frame({.op = Opcode::Li, .rd = u8(rd), .imm = static_cast<std::uint16_t>(value)}); }
  /// A register that may be written, except those in `not_these`.
  int free_register(unsigned not_these = 0) {
    for (;;)
      if (const int r = rng_->between(1, 15); !((kept | not_these) >> r & 1)) return r;
  }
  /// A free register, loaded with the value.
  int with(unsigned value, unsigned& taken) {
    const int r = free_register(taken);
    taken |= 1u << r;
    li(r, value);
    return r;
  }
  /// Emits control register `csr` = value, through a register not in `not_these`.
  void control(isa::Csr csr, unsigned value, unsigned not_these = 0) {
    const int r = free_register(not_these);
    li(r, value);
    frame({.op = Opcode::Csrw, .ra = u8(r), .csr = csr});
  }
  /// Emits VL = `beats`, with random bits above those that are significant.
  void vl(int beats) {
    control(isa::Csr::VL, static_cast<unsigned>(beats % 256 + (rng_->chance(10) ? rng_->below(256) << 8 : 0)));
  }
  /// Emits a loop that runs `body` n times.
  template <class Body>
  void loop(int n, const Body& body) {
    const int r = free_register();
    li(r, static_cast<unsigned>(n));
    kept |= 1u << r;
    ++depth;
    const int first = here();
    body();
    --depth;
    kept &= ~(1u << r);
    jump({.op = Opcode::Dbnz, .ra = u8(r)}, first);
  }

 private:
  int put(std::uint32_t word, int target, bool may_go) {
    lines.push_back({word, target, unit, may_go});
    return here() - 1;
  }
  /// Random bits outside the instruction's fields, which are ignored.
  std::uint32_t junk(Opcode op) {
    if (!rng_->chance(10)) return 0;
    std::uint32_t used = 0xfc000000;
    for (const isa::Field& f : isa::info(op)->fields) used |= ((2u << f.msb) - 1) & ~((1u << f.lsb) - 1);
    return static_cast<std::uint32_t>(rng_->next()) & ~used;
  }

  Rng* rng_;
};

}  // namespace weft::random
