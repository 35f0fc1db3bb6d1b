/// Enumerations for the signals of a tile in a trace.
#pragma once

#include <cstdint>

#include "sw/asm/assembler.hpp"
#include "verif/trace/fst_file.hpp"

namespace weft::trace {

/// Enumerations shared by the tiles of a trace.
struct TraceEnums {
  TraceEnums(FstFile& file, const assembler::Program* program);

  unsigned pc_bits = 10;
  std::uint64_t nowhere = 0;  ///< value of pcs: no instruction
  bool instructions = false;
  FstFile::Enum pcs = 0, states = 0, main_units = 0, psum_units = 0, stalls = 0, issuers = 0;
};

}  // namespace weft::trace
