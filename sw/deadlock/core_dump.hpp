/// Core dump: the state of a hung wafer in a file (docs/explanation/hangs.md).
///
///   bytes   what
///   8       "WEFTCORE"
///   4       version, 4
///   4       crc32c of all that follows
///   8       bytes that follow
///   ...     HangSnapshot, then the rest of Core, member by member as core_dump.cpp lists them
///
/// Numbers are little endian, in as many bytes as their C++ type has; a bool is a byte, 0 or 1; a size or an index of a
/// file has 8 bytes. A vector, a string or a map is its number of elements, in 8 bytes, followed by the elements; an
/// array is its elements alone. Adding a member requires a higher version.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sw/asm/assembler.hpp"
#include "sw/compiler/plan/symbols.hpp"
#include "sw/machine/hang.hpp"

namespace weft::deadlock {

struct Core {
  machine::HangSnapshot hang_snapshot;
  assembler::Program program;                      ///< empty if unknown
  std::vector<compiler::ArraySymbol> arrays = {};  ///< arrays in a tile's memory, by name
  int width = 0;                                   ///< elements of a slot of kernels' arrays: a column's tokens
  std::string options = {};  ///< `--params FILE ...`, which repeats the run in weft; empty if unknown
};

std::vector<std::uint8_t> encode(const Core& core);

/// `file`: for messages. Throws Refusal if `bytes` are no core dump or one of another version, DamagedFile if they are
/// damaged. Takes at most a small multiple of their size in memory, whatever their content.
Core decode(std::span<const std::uint8_t> bytes, const std::string& file);

}  // namespace weft::deadlock
