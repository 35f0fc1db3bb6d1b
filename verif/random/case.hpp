/// A case: programs for the tiles of a wafer, and what the host does. All of it follows from a seed and a number.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sw/machine/message.hpp"
#include "sw/machine/shape.hpp"

namespace weft::random {

/// What can be left out of a case as a whole, and what cannot.
inline constexpr int kFrame = 0;

/// An instruction.
struct Line {
  static constexpr int kNone = -1;

  std::uint32_t word = 0;
  int target = kNone;  ///< the line whose address stands in its low bits; what is above an address stays
  int unit = kFrame;
  bool alone = false;  ///< may be left out alone: no other line relies on it to end, nor to stay in its part of memory
};

using Program = std::vector<Line>;

/// Does nothing.
constexpr std::uint32_t kNop = 0x08000000;  // add r0, r0, r0

/// Something the host does.
struct Item {
  enum class Kind {
    Send,    ///< `message`
    Load,    ///< all programs
    Settle,  ///< waits until nothing moves, and compares
    Reset
  };
  Kind kind = Kind::Send;
  Message message{};
  int unit = kFrame;
  bool gone = false;  ///< left out
};

struct Case {
  std::uint64_t seed = 0, number = 0;
  bool fabric = false;  ///< its point is what goes between the tiles
  WaferShape shape;
  int takes = 100, offers = 100;  ///< percent of the cycles in which the host takes a word and offers one
  /// The RTL may take so many between two resets: some times what the longest case takes.
  std::uint64_t most_cycles = 30'000'000;
  int base = 0;                   ///< instruction address of line 0
  std::vector<Program> programs;  ///< [tile]; one: of all tiles
  std::vector<Item> items;
  int units = 1;  ///< numbers of units are below

  const Program& program(int tile) const { return programs[programs.size() > 1 ? static_cast<std::size_t>(tile) : 0]; }
  /// The word of a line as it is loaded.
  std::uint32_t word(const Line& line) const {
    constexpr std::uint32_t mask = WaferShape::kIDepth - 1;
    if (line.target == Line::kNone) return line.word;
    return (line.word & ~mask) | (static_cast<std::uint32_t>(base + line.target) & mask);
  }
};

/// Case `number` of the run `seed`, on a wafer of that many colors; `depth`: messages that a link buffers for each.
struct Machines {
  int colors = isa::kWaferColors, depth = isa::kDepth;
  std::vector<int> lanes{4};
};
Case make_program_case(std::uint64_t seed, std::uint64_t number, const Machines& machines);
Case make_fabric_case(std::uint64_t seed, std::uint64_t number, const Machines& machines);

/// The case for a reader: what the host does, and the programs as assembly.
std::string describe(const Case& c);

}  // namespace weft::random
