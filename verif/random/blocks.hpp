/// What a thread does by itself.
#pragma once

#include "sw/machine/shape.hpp"
#include "verif/random/tile.hpp"

namespace weft::random {

class Blocks {
 public:
  Blocks(Dice& dice, const WaferShape& shape) : dice_(dice), shape_(shape) {}

  /// About n instructions: arithmetic, loads, branches, loops, calls and, if nobody else runs, vector instructions on
  /// whatever addresses are in the registers. `zone`: where it must keep to; null: nobody else runs.
  void anything(Code& c, bool main, const Zone* zone, int n);
  /// A vf, or a few.
  void vf(Code& c, const Zone* zone);
  /// vaxs of a stream that others see to.
  void vaxs(Code& c, const Zone* zone);
  /// A vs or vb without streams. `entry`: MP has one to take, `room`: PM has room. True: it has put an entry into PM.
  bool alone(Code& c, const Zone* zone, bool entry, bool room, bool& took);
  /// A word that halts the thread with BAD_INSTR or BAD_COLOR.
  void illegal(Code& c, bool main);

  /// Beats of a vector, seldom many.
  int beats(const Code& c, int most);
  /// A register with an element's address.
  int address(Code& c, unsigned& taken, const Zone* zone, int beats);
  int entry(Code& c, unsigned& taken, const Zone* zone, int beats);
  /// A `vs` without streams: own from R, result to R or M.
  void local(Code& c, Instr& in, unsigned& taken, const Zone* zone, int beats);
  std::uint16_t number() { return any_number(dice_, shape_.lanes, shape_.sram_elements()); }

 private:
  void one(Code& c, bool main, const Zone* zone);
  void arithmetic(Code& c);
  void load(Code& c, bool main, const Zone* zone);
  void branch(Code& c, bool main, const Zone* zone);
  void skip(Code& c);
  void set_control(Code& c, bool main, const Zone* zone);
  void wild_vector(Code& c);
  int any_register() { return dice_.below(16); }
  int destination(Code& c) { return dice_.chance(6) ? 0 : c.free_register(); }

  Dice& dice_;
  const WaferShape& shape_;
};

}  // namespace weft::random
