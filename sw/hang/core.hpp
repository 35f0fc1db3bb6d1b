/// A core dump: a wafer that stands still, in a file of its own (docs/hangs.md).
///
///   bytes   what
///   8       "WEFTCORE"
///   4       version, 3
///   4       crc32c of all that follows
///   8       bytes that follow
///   ...     Standstill, then the rest of Core, member by member as sw/hang/fields.hpp lists them
///
/// Numbers are little endian, in as many bytes as their C++ type has; a bool is a byte, 0 or 1; a size or an index of a
/// file 8 bytes. A vector, a string or a map is its number of elements, 8 bytes, and then those; an array has as many
/// as it has. Who adds a member raises the version.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sw/asm/assembler.hpp"
#include "sw/compiler/symbols.hpp"
#include "sw/machine/standstill.hpp"

namespace weft::hang {

struct Core {
  Standstill standstill;
  Program program;                       ///< empty if nobody knew it
  std::vector<ArraySymbol> arrays = {};  ///< of a tile's memory, by name
  int width = 0;                         ///< elements of a slot of what kernels get: a column's tokens
  std::string options = {};              ///< `--params FILE ...`, with which weft runs the same; empty: nobody said
};

std::vector<std::uint8_t> encode(const Core& core);

/// `file`: for messages. Throws Refusal if this is no core dump or one of another version, DamagedFile if it is not as
/// it was written. Takes no more memory than some times the bytes, whatever they say.
Core decode(std::span<const std::uint8_t> bytes, const std::string& file);

}  // namespace weft::hang
