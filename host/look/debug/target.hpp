/// What a debugger looks at: a wafer that runs, or the core dump of one that stood still.
#pragma once

#include <string>
#include <vector>

#include "sw/asm/assembler.hpp"
#include "sw/compiler/symbols.hpp"
#include "sw/machine/standstill.hpp"
#include "verif/sim/tile_view.hpp"

namespace weft::debug {

class Live;

/// What programs and memory are called.
struct Names {
  const Program& program;
  const std::vector<ArraySymbol>& arrays;
  WaferShape wafer;
  int width = 0;  ///< elements of a slot of what kernels get: a column's tokens
};

/// Where a thread is.
struct ThreadPlace {
  bool runs = false;       ///< its core has not halted
  unsigned pc = 0;         ///< of the core's instruction
  bool busy = false;       ///< its sequencer works
  unsigned sequenced = 0;  ///< on the instruction here
  std::string why;         ///< what it does or waits for, if that is known
};

class Target {
 public:
  virtual ~Target() = default;

  virtual Names names() const = 0;
  /// "cycle 52, h.0.attn.c_attn.q"
  virtual std::string now() const = 0;
  /// Registers and memories as they are now; of a thread at work, what it has written so far.
  virtual TileState state(TilePlace tile) const = 0;
  virtual Standstill standstill() const = 0;
  virtual ThreadPlace thread(TilePlace tile, bool psum) const = 0;
  /// The last standstill with its culprit. Throws Refusal if there was none.
  virtual std::string report() const = 0;
  /// To go on with, for `command`. Throws Refusal if this stands still for ever.
  virtual Live& live(const std::string& command) = 0;
};

}  // namespace weft::debug
