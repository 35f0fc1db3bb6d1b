/// Differences between tile states are reported by name.
#include "sw/machine/state.hpp"

#include <gtest/gtest.h>

namespace weft::model {
namespace {

machine::TileState some() {
  machine::TileState s;
  s.memory.resize(8);
  s.accumulators.resize(isa::kRDepth * 4);
  s.instructions.resize(2);
  for (auto& port : s.routes) port.resize(4);
  return s;
}

TEST(TileState, EqualStatesHaveNoDifference) { EXPECT_EQ(machine::difference(some(), some()), ""); }

TEST(TileState, EveryPieceHasAName) {
  const std::vector<std::pair<std::string, std::function<void(machine::TileState&)>>> changes{
      {"M[3]: 0x0, 0x1f", [](machine::TileState& s) { s.memory[3] = 31; }},
      {"R[5][2]: 0x0, 0x7fc00000", [](machine::TileState& s) { s.accumulators[5 * 4 + 2] = 0x7fc00000; }},
      {"I[1]: 0x0, 0x1", [](machine::TileState& s) { s.instructions[1] = 1; }},
      {"main.runs: 0x0, 0x1", [](machine::TileState& s) { s.main.runs = true; }},
      {"psum.pc: 0x0, 0x9", [](machine::TileState& s) { s.psum.pc = 9; }},
      {"main.r[15]: 0x0, 0x1", [](machine::TileState& s) { s.main.registers[15] = 1; }},
      {"main.csr[7]: 0x0, 0x5", [](machine::TileState& s) { s.main.control[7] = 5; }},
      {"psum.csr[0]: 0x0, 0x1", [](machine::TileState& s) { s.psum.control[0] = 1; }},
      {"MP.entries has 0, 1 numbers", [](machine::TileState& s) { s.mp.entries.push_back(32); }},
      {"PM.put_buffer: 0x0, 0x1", [](machine::TileState& s) { s.pm.put_buffer = 1; }},
      {"MP.taken_buffer: 0x0, 0x1", [](machine::TileState& s) { s.mp.taken_buffer = 1; }},
      {"selected: 0x1, 0x0", [](machine::TileState& s) { s.selected = false; }},
      {"instruction_address: 0x0, 0x1", [](machine::TileState& s) { s.instruction_address = 1; }},
      {"low_half: 0x0, 0x1", [](machine::TileState& s) { s.low_half = 1; }},
      {"memory_address: 0x0, 0x1", [](machine::TileState& s) { s.memory_address = 1; }},
      {"route.RAMP[1]: 0x0, 0x4", [](machine::TileState& s) { s.routes[4][1] = 4; }},
      {"flags: 0x0, 0x10", [](machine::TileState& s) { s.flags = 16; }},
      {"beats: 0x0, 0x1", [](machine::TileState& s) { s.beats = 1; }},
      {"fma_lanes: 0x0, 0x4", [](machine::TileState& s) { s.fma_lanes = 4; }},
  };
  for (const auto& [text, change] : changes) {
    machine::TileState other = some();
    change(other);
    EXPECT_FALSE(other == some()) << text;
    EXPECT_EQ(machine::difference(some(), other), text + "\n");
  }
}

TEST(TileState, ShowsTheFirstDifferences) {
  machine::TileState other = some();
  for (auto& e : other.memory) e = 1;
  EXPECT_EQ(machine::difference(some(), other, 2), "M[0]: 0x0, 0x1\nM[1]: 0x0, 0x1\nand 6 more\n");
}

}  // namespace
}  // namespace weft::model
