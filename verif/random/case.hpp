/// A test case: programs for the tiles of a wafer, and the actions of the host. A seed and a number determine the whole
/// case.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sw/machine/message.hpp"
#include "sw/machine/shape.hpp"

namespace weft::random {

/// Unit of lines and items that the shrinker must keep. All other units can be left out as a whole.
inline constexpr int kFrame = 0;

/// A line of a program: one instruction.
struct Line {
  static constexpr int kNone = -1;

  std::uint32_t word = 0;
  int target = kNone;  ///< the line whose address fills the low bits; bits above an address are kept
  int unit = kFrame;
  bool alone = false;  ///< can be left out alone: no other line needs it to terminate or to stay in its part of memory
};

using Program = std::vector<Line>;

/// A no-op.
constexpr std::uint32_t kNop = 0x08000000;  // add r0, r0, r0

/// An action of the host.
struct Item {
  enum class Kind {
    Send,    ///< sends `message`
    Load,    ///< loads all programs
    Settle,  ///< waits until nothing moves, and compares
    Reset
  };
  Kind kind = Kind::Send;
  machine::Message message{};
  int unit = kFrame;
  bool gone = false;  ///< left out by the shrinker
};

struct Case {
  std::uint64_t seed = 0, number = 0;
  bool fabric = false;  ///< a fabric case: its subject is the traffic between tiles
  machine::WaferShape shape;
  int takes = 100, offers = 100;  ///< percentage of cycles in which the host takes or offers a word
  /// Limit on RTL cycles between two resets: several times the longest case.
  std::uint64_t most_cycles = 30'000'000;
  int base = 0;                   ///< instruction address of line 0
  std::vector<Program> programs;  ///< [tile]; if only one: shared by all tiles
  std::vector<Item> items;
  int units = 1;  ///< unit numbers are below this

  const Program& program(int tile) const { return programs[programs.size() > 1 ? static_cast<std::size_t>(tile) : 0]; }
  /// The word of a line, as loaded.
  std::uint32_t word(const Line& line) const {
    constexpr std::uint32_t mask = machine::WaferShape::kIDepth - 1;
    if (line.target == Line::kNone) return line.word;
    return (line.word & ~mask) | (static_cast<std::uint32_t>(base + line.target) & mask);
  }
};

/// The simulated machines: number of colors, `depth`: messages that a link buffers for each, lane widths, and the kind
/// of tile. The
/// functions below generate case `number` of the run `seed` for them.
struct Machines {
  int colors = isa::kWaferColors, depth = isa::kDepth;
  std::vector<int> lanes{4};
  bool general = false;  ///< general tiles
};
Case make_program_case(std::uint64_t seed, std::uint64_t number, const Machines& machines);
Case make_fabric_case(std::uint64_t seed, std::uint64_t number, const Machines& machines);

/// Text of a case: the host's actions, and the programs as assembly.
std::string describe(const Case& c);

}  // namespace weft::random
