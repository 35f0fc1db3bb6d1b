/// Generator of blocks that a thread executes alone.
#pragma once

#include <vector>

#include "sw/machine/shape.hpp"
#include "verif/random/tile.hpp"

namespace weft::random {

/// The opcodes of all instructions for which `wanted` is true.
template <class Wanted>
std::vector<isa::Opcode> opcodes(Wanted wanted) {
  std::vector<isa::Opcode> found;
  for (const isa::Info& info : isa::kInstrs)
    if (wanted(info)) found.push_back(info.op);
  return found;
}

class Blocks {
 public:
  Blocks(Rng& rng, const machine::WaferShape& shape) : rng_(rng), shape_(shape) {}

  /// Emits about n instructions: arithmetic, loads, branches, loops, calls and, if no other thread runs, vector
  /// instructions on any addresses in the registers. `zone`: the thread's part of memory; null: no other thread runs.
  void anything(Code& c, bool main, const Zone* zone, int n);
  /// Emits a vector instruction of main that uses no queue.
  void vector(Code& c, const Zone* zone);
  /// Emits a vaxs; the caller provides its stream.
  void vaxs(Code& c, const Zone* zone);
  /// Emits a vs or vb without streams. `entry`: MP has an entry to take; `room`: PM has room. Sets `took` if it takes
  /// the entry; returns true if it puts an entry into PM.
  bool alone(Code& c, const Zone* zone, bool entry, bool room, bool& took);
  /// Emits a word that halts the thread with BAD_INSTR or BAD_COLOR.
  void illegal(Code& c, bool main);

  /// Number of beats of a vector, rarely large.
  int beats(const Code& c, int most);
  /// A register holding the address of an element.
  int address(Code& c, unsigned& taken, const Zone* zone, int beats);
  int entry(Code& c, unsigned& taken, const Zone* zone, int beats);
  /// Sets STR to a number of beats of a weight with which interleaved weights fill `entries` entries evenly; any number
  /// if there are no entries. Weights are numbered only if 16 sums fit the entries, or `anywhere`, if an instruction
  /// may write to all of R. Leaves the registers in `taken` alone.
  void interleaved(Code& c, unsigned taken, int entries, bool anywhere);
  /// Emits a `vs` without streams: own vector from R, result to R or M.
  void local(Code& c, isa::Instr& in, unsigned& taken, const Zone* zone, int beats);
  std::uint16_t number() {
    const std::uint16_t n = any_number(rng_, shape_.lanes, shape_.sram_elements());
    return static_cast<std::uint16_t>(n + (shape_.general && rng_.chance(40) ? rng_.below(shape_.lanes) : 0));
  }

 private:
  void one(Code& c, bool main, const Zone* zone);
  void arithmetic(Code& c);
  void load(Code& c, bool main, const Zone* zone);
  void branch(Code& c, bool main, const Zone* zone);
  void skip(Code& c);
  void set_control(Code& c, bool main, const Zone* zone);
  void wild_vector(Code& c);
  void vf(Code& c, const Zone* zone);
  isa::Opcode any(const std::vector<isa::Opcode>& ops) {
    return ops[static_cast<std::size_t>(rng_.below(static_cast<int>(ops.size())))];
  }
  int any_register() { return rng_.below(16); }
  int destination(Code& c) { return rng_.chance(6) ? 0 : c.free_register(); }

  Rng& rng_;
  const machine::WaferShape& shape_;
};

}  // namespace weft::random
