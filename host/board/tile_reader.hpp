/// Reads registers and memories of a board's tiles, which have been given up, by running instructions in them: all
/// tiles at once.
#pragma once

#include "host/board/debug_chain.hpp"
#include "sw/machine/shape.hpp"
#include "sw/machine/standstill.hpp"

namespace weft::board {

class TileReader {
 public:
  TileReader(DebugChain& chain, const WaferShape& shape) : chain_(chain), shape_(shape) {}

  /// Into each tile of `s`: registers and control registers.
  void registers(Standstill& s);
  /// So many elements of memory, and of so many accumulators after it. That takes the first elements of memory and the
  /// registers: nobody has them afterwards.
  void memories(Standstill& s, int elements, int entries);
  void memories(Standstill& s) { memories(s, shape_.sram_elements(), isa::kRDepth); }

  /// Runs `line`, an instruction in assembler, in a thread of all tiles; the second operand or what it has read, [row *
  /// cols + col].
  std::vector<std::uint16_t> run(const std::string& line, bool psum = false);

 private:
  /// [instruction][tile]
  std::vector<std::vector<std::uint16_t>> run(const std::vector<std::uint32_t>& words, bool psum);
  std::vector<std::vector<std::uint16_t>> load(int elements);

  DebugChain& chain_;
  const WaferShape shape_;
};

}  // namespace weft::board
