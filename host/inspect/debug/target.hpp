/// The object under inspection by a debugger: a live wafer, or the core dump of one that hung.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sw/asm/arrays.hpp"
#include "sw/asm/assembler.hpp"
#include "sw/compiler/plan/symbols.hpp"
#include "sw/machine/hang.hpp"
#include "verif/sim/tile_view.hpp"

namespace weft::inspect::debug {

class LiveTarget;

/// Names that a program of one's own declares.
struct OwnNames {
  std::vector<assembler::Array> arrays;
  std::vector<std::pair<std::string, unsigned>> streams;  ///< with their colors
};

/// Symbolic names of code and memory in a tile.
struct Names {
  const assembler::Program& program;
  const std::vector<compiler::ArraySymbol>& arrays;
  machine::WaferShape wafer;
  int width = 0;                  ///< elements in a slot of a kernel's array parameter: the tokens of a column
  const OwnNames* own = nullptr;  ///< of a program of one's own, whose kernels have numbers as parameters; else null
};

/// Position and activity of a thread.
struct ThreadPlace {
  bool runs = false;       ///< its core has not halted
  unsigned pc = 0;         ///< program counter of the core
  bool busy = false;       ///< its sequencer is active
  unsigned sequenced = 0;  ///< instruction on which the sequencer works
  std::string why;         ///< activity or reason of the wait, if known
};

class Target {
 public:
  virtual ~Target() = default;

  virtual Names names(sim::TilePlace tile) const = 0;
  /// "cycle 52, h.0.attn.c_attn.q"
  virtual std::string now() const = 0;
  /// Current registers and memories, including the partial results of a running instruction.
  virtual machine::TileState state(sim::TilePlace tile) const = 0;
  virtual machine::HangSnapshot hang_snapshot() const = 0;
  virtual ThreadPlace thread(sim::TilePlace tile, bool psum) const = 0;
  /// Report on the last hang, with its root cause. Throws Refusal if there was none.
  virtual std::string report() const = 0;
  /// LiveTarget target on which `command` can execute. Throws Refusal for a core dump.
  virtual LiveTarget& live(const std::string& command) = 0;
};

}  // namespace weft::inspect::debug
