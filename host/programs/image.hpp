/// A layout made ready for a wafer: programs assembled, streams with routes and colors, the messages that load it.
#pragma once

#include <string>
#include <vector>

#include "host/programs/layout.hpp"
#include "host/programs/routes.hpp"
#include "sw/asm/arrays.hpp"
#include "sw/machine/message.hpp"
#include "sw/machine/shape.hpp"

namespace weft::programs {

/// An assembled program with its region; the routines of transfer.s are part of it.
struct LoadedProgram {
  Region region;
  assembler::Program program;
  std::vector<assembler::Array> arrays;
};

struct LoadedStream {
  std::string name;
  int color = 0;
  StreamRoutes ends;
};

struct Image {
  machine::WaferShape shape;
  std::vector<LoadedProgram> programs;
  std::vector<LoadedStream> streams;
  std::vector<machine::Message> load;  ///< after a reset
};

/// Instruction address at which the tiles of several regions start (calls.hpp). No program reaches it.
inline constexpr int kEntry = isa::kIDepth - 1;

/// Elements at the end of each tile's memory that transfers use.
inline constexpr int kScratch = 192;

}  // namespace weft::programs
