/// The words for what a tile's signals count, in a trace.
#pragma once

#include <cstdint>

#include "sw/asm/assembler.hpp"
#include "verif/trace/fst_file.hpp"

namespace weft {

/// The enumerations that the tiles of a trace share.
struct TraceEnums {
  TraceEnums(FstFile& file, const Program* program);

  unsigned pc_bits = 10;
  std::uint64_t nowhere = 0;  ///< value of pcs: no instruction
  bool instructions = false;
  FstFile::Enum pcs = 0, states = 0, main_units = 0, psum_units = 0, causes = 0, issuers = 0;
};

}  // namespace weft
