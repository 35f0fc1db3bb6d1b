/// Reads registers and memories of a board's tiles by executing instructions in all tiles at once. The tiles' own
/// threads must have been aborted.
#pragma once

#include "host/board/debug/debug_chain.hpp"
#include "sw/machine/hang.hpp"
#include "sw/machine/shape.hpp"

namespace weft::board {

class TileReader {
 public:
  TileReader(DebugChain& chain, const machine::WaferShape& shape) : chain_(chain), shape_(shape) {}

  /// Fills in registers and control registers of each tile of `s`.
  void registers(machine::HangSnapshot& s);
  /// Reads `elements` elements of memory, then `entries` accumulators. The latter overwrites the first elements of
  /// memory and the registers.
  void memories(machine::HangSnapshot& s, int elements, int entries);
  void memories(machine::HangSnapshot& s) { memories(s, shape_.sram_elements(), isa::kRDepth); }

  /// Executes `line`, one assembler instruction, in a thread of all tiles. Returns the second operand, or the result of
  /// a load, [row * cols + col].
  std::vector<std::uint16_t> run(const std::string& line, bool psum = false);

 private:
  /// [instruction][tile]
  std::vector<std::vector<std::uint16_t>> run(const std::vector<std::uint32_t>& words, bool psum);
  std::vector<std::vector<std::uint16_t>> load(int elements);

  DebugChain& chain_;
  const machine::WaferShape shape_;
};

}  // namespace weft::board
