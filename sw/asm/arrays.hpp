/// Arrays that a program declares with `.array`, and their places in a tile (sw/asm/README.md).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sw/asm/cursor.hpp"
#include "sw/asm/program.hpp"
#include "sw/asm/symbols.hpp"

namespace weft::assembler {

enum class ElementType : std::uint8_t { Bf16, Int16, Fp32 };

inline constexpr std::array<std::string_view, 3> kElementTypes = {"bf16", "int16", "fp32"};

/// `.array NAME, TYPE, COUNT`.
struct Array {
  std::string name;
  ElementType type = ElementType::Bf16;
  int address = 0;  ///< of the first element in memory; of type Fp32: of the first entry in the accumulator file
  int count = 0;    ///< elements, at least 1
  std::string file;
  int line = 0;  ///< from 1

  bool in_memory() const { return type != ElementType::Fp32; }
};

/// Assigns places one behind the other: in memory at multiples of kAlignment, in the accumulator file at whole entries.
class ArrayPlaces {
 public:
  /// Elements between places in memory: a vector may begin at each, however many lanes a tile has.
  static constexpr int kAlignment = 16;

  /// Reads `NAME, TYPE, COUNT`, defines NAME as the array's address, and returns the array. An array of fp32 needs the
  /// constant LANES. Throws Complaint.
  Array read(Cursor& at, Symbols& symbols, const Place& place);

 private:
  std::int64_t memory_ = 0, entries_ = 0;  // in use
};

struct ProgramWithArrays {
  Program program;
  std::vector<Array> arrays;  ///< as declared
  /// The first `.general`: the program needs general tiles (docs/reference/general_tile.md).
  std::optional<SourceLine> general;
};

/// As assemble(), and returns what else the sources declare.
ProgramWithArrays assemble_with_arrays(std::span<const Source> sources, const Constants& constants = {});

}  // namespace weft::assembler
